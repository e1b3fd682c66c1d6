"""The house's key: created once, not readable by others, and not confused with anything else."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from croupier.store import StoreError
from croupier.store.keys import HouseKey, PublicKey, house_key, read_key, read_public_key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.pem"


def test_it_is_made_on_first_use_and_stays(path: Path) -> None:
    key = house_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert house_key(path).public == key.public == read_key(path).public
    assert [file.name for file in path.parent.iterdir()] == ["house.pem"]


def test_a_signature_is_good_for_what_was_signed_and_nothing_else() -> None:
    key, other = HouseKey.new(), HouseKey.new()
    signature = key.sign(b"statement")
    assert key.public.has_signed(signature, b"statement")
    assert not key.public.has_signed(signature, b"Statement")
    assert not key.public.has_signed(signature[:-1], b"statement")
    assert not other.public.has_signed(signature, b"statement")
    assert not PublicKey(b"short").has_signed(signature, b"statement")


def test_a_public_key_is_given_as_digits_or_as_a_file(path: Path, tmp_path: Path) -> None:
    key = house_key(path)
    public = tmp_path / "public.pem"
    public.write_bytes(key.public.pem())
    assert b"PRIVATE" not in public.read_bytes()
    for given in (key.public.hex, str(public), str(path)):
        assert read_public_key(given) == key.public


def elliptic(public: bool) -> bytes:
    """A key of another kind."""
    key = generate_private_key(SECP256R1())
    if public:
        return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    "content",
    [b"", b"not a key", HouseKey.new().pem()[:80], elliptic(False)],
    ids=["empty", "a letter", "half a key", "of another kind"],
)
def test_what_is_no_key_of_ours_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(StoreError) as error:
        house_key(path)
    assert str(error.value) == f"{path} does not contain a private Ed25519 key in PEM form."
    assert path.read_bytes() == content


def test_a_key_that_others_can_read_is_refused(path: Path) -> None:
    house_key(path)
    path.chmod(0o640)
    with pytest.raises(StoreError, match="can be read by other users: restrict it with chmod 600"):
        house_key(path)


def test_a_missing_key_or_folder(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        read_key(path)
    assert str(error.value) == f"The key {path} cannot be read: No such file or directory."
    with pytest.raises(StoreError, match="cannot be written: there is no folder"):
        house_key(tmp_path / "no" / "house.pem")
    with pytest.raises(StoreError, match="cannot be read"):
        house_key(tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"", b"no key", elliptic(True), elliptic(False)],
    ids=["empty", "a letter", "of another kind", "private and of another kind"],
)
def test_what_is_no_public_key_of_ours(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="does not contain an Ed25519 key in PEM form"):
        read_public_key(str(path))
    with pytest.raises(StoreError, match="cannot be read"):
        read_public_key("ab" * 31)
