// The player's nickname in place of the name of their account. Others are only ever "another player".

/** @import { Felt as FeltReply } from "../../types/contract.js" */
/** @import { Me } from "../shared/session.js" */

/** The table as the player reads it. @param {FeltReply} reply @param {Me | null} me @returns {FeltReply} */
export function withNickname(reply, me) {
  const named = (/** @type {string | null} */ by) => (me !== null && by === me.person ? me.name : by);
  return {
    ...reply,
    thrower: { ...reply.thrower, by: named(reply.thrower.by), next: named(reply.thrower.next) },
    results: reply.results.map((one) => ({ ...one, by: named(one.by) })),
  };
}
