// Without a connection: ask again now and then, and show what was asked for once the house answers.

const AGAIN = 4000; // milliseconds

/** Load the page that was asked for, if the house answers. */
async function look() {
  const reply = await fetch("/manifest.webmanifest", { cache: "no-store" }).catch(() => null);
  if (reply?.ok && location.pathname !== "/offline") location.reload();
}

document.getElementById("again")?.addEventListener("click", () => location.reload());
setInterval(look, AGAIN);
addEventListener("online", look);
