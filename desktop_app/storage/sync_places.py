"""The place through which machines sync: a folder or an S3-compatible store, what lies there, and how it is sealed.

Every object is written once, by one device, and sealed with age. Its name tells nothing but an order.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import io
import json
import logging
import os
import re
import secrets
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import parse_qs, urlsplit

import pyrage
from pyrage import IdentityError, x25519

from desktop_app.core.phrases import phrase
from desktop_app.core.sync import (
    FORMAT,
    MOST_AHEAD_MS,
    Arrived,
    Exchanged,
    SyncRefused,
    SyncTrouble,
    TroubleKind,
    milliseconds,
)
from desktop_app.storage.checked_rows import MOST_BYTES, inflated
from desktop_app.storage.passphrase_sealing import opened_by_passphrase, sealed_by_passphrase
from desktop_app.storage.row_mapping import UNREADABLE
from desktop_app.storage.sync_capture import Pack
from desktop_app.storage.sync_merge import SyncMerge
from desktop_app.system.files_below import opened
from desktop_app.system.private_files import (
    bring_to_disk,
    make_private_folder,
    open_new,
    path_beside,
    put_new,
    write_atomically,
)

log = logging.getLogger(__name__)

MOST_SEALED: Final = 64 * 2**20
"""Bytes of an object that are read at most: a bigger one is none of ours."""

FOLDED: Final = 100
"""Small objects of its own that a device makes one of, and the bytes up to which one is small."""
_SMALL: Final = 32_000

_OBJECT: Final = re.compile(r"([0-9]{10})-([0-9]{10})-([0-9]{4})")
"""A name: last and first number in it, and how often it was written again. Nothing else is looked at: no temporary
files, no conflicting copies of programs that sync folders, no placeholders."""

_SPACE: Final = re.compile(r"space-([0-9]{4})")
_TAG: Final = re.compile(r"[0-9a-f]{32}")


def refused(kind: TroubleKind, message: str, detail: object = "") -> SyncRefused:
    """The error of something that can't be done; `message` is a phrase."""
    return SyncRefused(SyncTrouble(kind, message, str(detail)[:300]))


_FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_FULL_STORE: Final = re.compile(r"QuotaExceeded|InsufficientStorage|StorageFull|code: 507", re.IGNORECASE)
"""The words of stores: `507`, or `403` with one of these codes."""


def full(place: object, error: Exception) -> SyncRefused | None:
    """The error of a place that has no room left; None where it is another."""
    if error.errno not in _FULL if isinstance(error, OSError) else _FULL_STORE.search(str(error)) is None:
        return None
    words = phrase("There is no room left in {place}. Nothing is lost; it goes on when there is.", place=place)
    return refused("quota", words, error)


class Place(Protocol):
    """Objects by name: two or three words with `/` between them. Raises `SyncRefused` where it can't be reached."""

    def check(self) -> None:
        """`SyncRefused` where nothing can be written."""

    def names(self, folder: str, after: str = "") -> Sequence[str]:
        """The names of what is in a folder behind that one, in order; "": the uppermost."""

    def read(self, name: str) -> bytes | None:
        """The bytes of an object; None: there is none yet, or it is too big."""

    def create(self, name: str, data: bytes) -> bool:
        """Writes an object; False, and nothing is changed, where there is one."""

    def remove(self, name: str) -> None:
        """Takes an object of this device out."""


class FolderPlace:
    """A folder that something else carries from machine to machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(self) -> None:
        self.names("")
        if not os.access(self._folder, os.W_OK):
            raise refused("network", phrase("Nothing can be written to the folder {place}.", place=self._folder))

    def names(self, folder: str, after: str = "") -> Sequence[str]:
        with self._explained():
            if not self._folder.is_dir():
                raise FileNotFoundError(errno.ENOENT, "no such folder", str(self._folder))
            below = self._folder / folder
            return sorted(one.name for one in below.iterdir() if one.name > after) if below.is_dir() else []

    def read(self, name: str) -> bytes | None:
        path = self._folder / name
        with self._explained():
            try:
                with path.open("rb") as file:
                    return file.read(MOST_SEALED + 1)
            except (FileNotFoundError, IsADirectoryError):
                return None

    def create(self, name: str, data: bytes) -> bool:
        path = self._folder / name
        with self._explained():
            if path.exists():
                return False
            make_private_folder(path.parent)
            fresh = path_beside(path)
            try:
                with open_new(fresh) as file:
                    file.write(data)
                    bring_to_disk(file)
                put_new(fresh, path)
                return path.read_bytes() == data
            finally:
                fresh.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        with self._explained():
            (self._folder / name).unlink(missing_ok=True)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            words = phrase("The folder {place} can't be reached.", place=self._folder)
            raise full(self._folder, error) or refused("network", words, error) from error


class S3Place:
    """A bucket of an S3-compatible store, under a prefix. Credentials of the environment go first."""

    def __init__(self, address: str, keys: str = "") -> None:
        from obstore.store import S3Store

        parts = urlsplit(address)
        self._place = f"{parts.scheme}://{parts.netloc}{parts.path}"
        options: dict[str, Any] = {}
        if endpoint := parse_qs(parts.query).get("endpoint", [""])[0]:
            options = {"endpoint": endpoint, "client_options": {"allow_http": endpoint.startswith("http://")}}
        if region := parse_qs(parts.query).get("region", [""])[0]:
            options["region"] = region
        if keys:
            options["access_key_id"], _, options["secret_access_key"] = keys.partition(" ")
        with self._explained():
            self._store = S3Store(parts.netloc, prefix=parts.path.strip("/") or None, **options)

    def check(self) -> None:
        self.names("")

    def names(self, folder: str, after: str = "") -> Sequence[str]:
        import obstore

        prefix = f"{folder}/" if folder else ""
        found: list[str] = []
        with self._explained():
            if not after:
                listed = obstore.list_with_delimiter(self._store, prefix or None)
                paths = [str(one) for one in listed["common_prefixes"]] + [one["path"] for one in listed["objects"]]
                return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)
            for some in obstore.list(self._store, prefix, offset=prefix + after):
                found += [str(one["path"]).rpartition("/")[2] for one in some]
        return sorted(found)

    def read(self, name: str) -> bytes | None:
        import obstore

        with self._explained():
            try:
                found = obstore.get(self._store, name)
                if found.meta["size"] > MOST_SEALED:
                    return None
                return bytes(found.bytes())
            except FileNotFoundError:
                return None

    def create(self, name: str, data: bytes) -> bool:
        import obstore

        with self._explained():
            try:
                obstore.put(self._store, name, data, mode="create")
            except obstore.exceptions.AlreadyExistsError:
                return False
        return True

    def remove(self, name: str) -> None:
        import obstore

        with self._explained():
            obstore.delete(self._store, name)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, UnauthenticatedError

        try:
            yield
        except (AlreadyExistsError, FileNotFoundError):
            raise
        except (PermissionDeniedError, UnauthenticatedError) as error:
            words = phrase("{place} does not take these credentials.", place=self._place)
            raise full(self._place, error) or refused("config", words, error) from error
        except (BaseError, OSError, ValueError) as error:
            words = phrase("{place} can't be reached.", place=self._place)
            raise full(self._place, error) or refused("network", words, error) from error


def open_place(address: str, keys: str = "") -> Place:
    """The place of an address as the user gives it: a folder's path or `s3://bucket/prefix`, with the keys for that."""
    if address.startswith("s3://"):
        return S3Place(address, keys)
    folder = Path(address).expanduser()
    if not folder.is_absolute():
        raise refused("config", phrase("Give the whole path of the folder."), address)
    return FolderPlace(folder)


class _InPieces(io.BytesIO):
    """Bytes for a library that lets no other thread run; as it asks here for each piece, the window goes on."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size)


class Sealing:
    """Seals with the newest identity of the space, opens with each. What was sealed by nobody of the space, or stands
    under another name than its own, is not opened."""

    def __init__(self, identities: Sequence[str]) -> None:
        self.identities = tuple(identities)
        self._identities = [x25519.Identity.from_str(one) for one in identities]
        self._keys = [hashlib.sha256(b"plimsoll sync\0" + one.encode()).digest() for one in identities]

    def tag(self, device: str) -> str:
        """The name of a device's folder, which tells nothing of the device."""
        return hmac.new(self._keys[0], device.encode(), "sha256").hexdigest()[:32]

    def names(self, sha256: str) -> Sequence[str]:
        """The names under which a file may lie, the newest first; they tell nothing to who has none of the keys."""
        return [hmac.new(key, b"file\0" + sha256.encode(), "sha256").hexdigest()[:32] for key in reversed(self._keys)]

    def seal(self, name: str, data: bytes) -> bytes:
        proof, sealed = hmac.new(self._keys[-1], name.encode() + b"\0" + data, "sha256").digest(), io.BytesIO()
        pyrage.encrypt_io(_InPieces(proof + data), sealed, [self._identities[-1].to_public()])
        return sealed.getvalue()

    def open(self, name: str, sealed: bytes) -> bytes | None:
        """None: it is not whole, or none of ours."""
        if len(sealed) > MOST_SEALED:
            return None
        whole = io.BytesIO()
        try:
            pyrage.decrypt_io(_InPieces(sealed), whole, list(self._identities))
        except (pyrage.DecryptError, ValueError, OSError):
            return None
        proof, data = (opened := whole.getvalue())[:32], opened[32:]
        proofs = (hmac.new(key, name.encode() + b"\0" + data, "sha256").digest() for key in self._keys)
        return data if any(hmac.compare_digest(proof, one) for one in proofs) else None


def new_identity() -> str:
    """A secret key of age, which is the recovery key, too."""
    return str(x25519.Identity.generate())


@dataclass(frozen=True, slots=True)
class SpaceObject:
    """The object that all devices share: the newest identity sealed by the passphrase, the older ones by that one."""

    space: str
    epoch: int
    sealed: bytes
    older: bytes

    @classmethod
    def made(
        cls, space: str, epoch: int, passphrase: str, identities: Sequence[str], revoked: Sequence[str]
    ) -> SpaceObject:
        older = json.dumps({"identities": list(identities[:-1]), "revoked": list(revoked)}).encode()
        name = f"{space} {epoch}"
        sealed = sealed_by_passphrase(identities[-1].encode(), passphrase)
        return cls(space, epoch, sealed, Sealing(identities[-1:]).seal(name, older))

    def to_bytes(self) -> bytes:
        texts = {name: base64.b64encode(getattr(self, name)).decode() for name in ("sealed", "older")}
        return json.dumps(
            {"plimsoll": "sync", "format": FORMAT, "space": self.space, "epoch": self.epoch} | texts
        ).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> SpaceObject:
        try:
            value = json.loads(data)
            if value["format"] > FORMAT:
                raise refused("newer", phrase("A newer version of Plimsoll wrote to this place. Update this one."))
            sealed, older = (base64.b64decode(value[name], validate=True) for name in ("sealed", "older"))
            return cls(str(value["space"]), int(value["epoch"]), sealed, older)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise refused("store", phrase("What lies in this place is damaged, or not Plimsoll's."), error) from error

    def is_sealed_by(self, passphrase: str) -> bool:
        return opened_by_passphrase(self.sealed, passphrase) is not None

    def identity(self, passphrase: str) -> str:
        """The newest identity; `SyncRefused` where the passphrase is another."""
        if (opened := opened_by_passphrase(self.sealed, passphrase)) is None:
            raise refused("config", phrase("This is not the passphrase of this place."))
        return opened.decode()

    def opened(self, identity: str) -> tuple[list[str], list[str]]:
        """All identities, the newest last, and the ids of the devices that were removed."""
        try:
            found = Sealing([identity.strip()]).open(f"{self.space} {self.epoch}", self.older)
        except (IdentityError, ValueError) as error:
            raise refused("config", phrase("This is no recovery key."), type(error).__name__) from error
        if found is None:
            raise refused("config", phrase("This is not the recovery key of this place."))
        value = json.loads(found)
        return [*value["identities"], identity.strip()], list(value["revoked"])


def newest_space(place: Place) -> SpaceObject | None:
    """The newest object that devices share; None: nobody has set the place up."""
    names = [name for name in place.names("") if _SPACE.fullmatch(name)]
    if not names:
        return None
    data = place.read(names[-1])
    return None if data is None else SpaceObject.from_bytes(data)


def write_space(place: Place, space: SpaceObject) -> bool:
    """False: another device was quicker."""
    return place.create(f"space-{space.epoch:04d}", space.to_bytes())


def entered(place: Place, passphrase: str) -> tuple[list[str], SpaceObject, list[str], bool]:
    """Joins the space at a place, or makes it: identities, space, the devices that were removed, and if it is new."""
    if (space := newest_space(place)) is None:
        identities = [new_identity()]
        space = SpaceObject.made(new_id(), 1, passphrase, identities, [])
        if write_space(place, space):
            return identities, space, [], True
        if (space := newest_space(place)) is None:
            raise refused("store", phrase("What lies in this place is damaged, or not Plimsoll's."))
    return *_joined(space, space.identity(passphrase)), False


def joined(place: Place, recovery_key: str) -> tuple[list[str], SpaceObject, list[str], bool]:
    """Joins by the recovery key."""
    if (space := newest_space(place)) is None:
        raise refused("store", phrase("There is nothing at this place that could be joined."))
    return *_joined(space, recovery_key), False


def _joined(space: SpaceObject, identity: str) -> tuple[list[str], SpaceObject, list[str]]:
    identities, revoked = space.opened(identity)
    return identities, space, revoked


def new_id() -> str:
    """Of a space or a device."""
    return secrets.token_hex(16)


def _numbers(name: str) -> tuple[int, int, int] | None:
    """The numbers in a name, as `_OBJECT` has them; None: it is none of ours."""
    found = _OBJECT.fullmatch(name)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


FILES: Final = "files"
"""The folder of documents' files, whichever device wrote them."""
PIECE: Final = 8 * 2**20
"""Bytes of a file that are sealed together; a piece with less is its last one."""
MOST_FILE: Final = 200 * 2**20
"""Bytes of a file that is carried at most; no larger one is read into a project."""


class DocumentFiles:
    """The files of documents at a place: each once, compressed, under a keyed hash of what it holds. Blocks."""

    def __init__(
        self, sync: SyncMerge, place: Place, sealing: Sealing, done: Exchanged, progress: Callable[[int, int], None]
    ) -> None:
        self._sync, self._place, self._sealing, self._done, self._progress = sync, place, sealing, done, progress

    def send(self) -> None:
        """Writes the files of documents that are to be sent."""
        waiting = self._sync.files("to send")
        for number, sha256 in enumerate(waiting):
            self._progress(number, len(waiting))
            self._sync.note_sent(sha256, there=any(self._put(sha256, *one) for one in self._sync.sources(sha256)))

    def _put(self, sha256: str, path: Path, below: Path | None) -> bool:
        """False where that is not the file any more, or can't be read."""
        name, data = self._sealing.names(sha256)[0], b""
        with suppress(OSError, ValueError), os.fdopen(opened(path, below), "rb") as file:
            data = file.read(MOST_FILE + 1)
        if len(data) > MOST_FILE or hashlib.sha256(data).hexdigest() != sha256:
            return False
        for number in range(len(data) // PIECE + 1):
            whole = f"{FILES}/{name}-{number:04d}"
            sealed = self._sealing.seal(whole, zlib.compress(data[number * PIECE : (number + 1) * PIECE], 4))
            self._done.sent += self._place.create(whole, sealed)
            self._count("sent", len(sealed))
        return True

    def _count(self, way: str, size: int) -> None:
        self._done.bytes += size
        self._sync.add_bytes(way, size)

    def fetch(self, arrived: Arrived) -> None:
        """Brings the files of documents that have come as copies into the data folder, and nowhere else."""
        wanted = self._sync.files("wanted")
        there = frozenset(self._place.names(FILES)) if wanted else frozenset()
        for number, sha256 in enumerate(wanted):
            self._progress(number, len(wanted))
            name = next((one for one in self._sealing.names(sha256) if f"{one}-0000" in there), None)
            if name is not None and self._get(f"{FILES}/{name}", sha256):
                self._sync.note_fetched(sha256, arrived)

    def _get(self, name: str, sha256: str) -> bool:
        path = self._sync.copy_of(sha256)
        try:
            make_private_folder(path.parent)
            write_atomically(path, self._pieces(name, sha256))
        except (ValueError, zlib.error) as error:
            log.warning("the file of a document is not whole at the place: %s", error)
            return False
        except OSError as error:
            raise full(path.parent.parent, error) or refused(
                "store", phrase("Nothing can be written to the folder {place}.", place=path.parent.parent), error
            ) from error
        return True

    def _pieces(self, name: str, sha256: str) -> Iterator[bytes]:
        digest = hashlib.sha256()
        for number in range(MOST_FILE // PIECE + 1):
            whole = f"{name}-{number:04d}"
            sealed = self._place.read(whole)
            opened_piece = None if sealed is None else self._sealing.open(whole, sealed)
            if sealed is None or opened_piece is None:
                raise ValueError("a piece is missing or damaged")
            data = inflated(opened_piece, PIECE)
            digest.update(data)
            if len(data) < PIECE and digest.hexdigest() != sha256:
                raise ValueError("another file")
            self._done.received += 1
            self._count("received", len(sealed))
            yield data
            if len(data) < PIECE:
                return
        raise ValueError("too large")

    def forget(self) -> None:
        """Takes out what was deleted for good."""
        if unused := self._sync.files("unused"):
            names = {name for sha256 in unused for name in self._sealing.names(sha256)}
            for one in self._place.names(FILES):
                if one.partition("-")[0] in names:
                    self._place.remove(f"{FILES}/{one}")
            for sha256 in unused:
                with suppress(OSError):
                    self._sync.copy_of(sha256).unlink(missing_ok=True)
            self._sync.forget_files(unused)

    def look(self) -> None:
        """Has files sent again that another device took out, whose document was another."""
        if known := self._sync.files("there"):
            there = frozenset(self._place.names(FILES))
            lost = [one for one in known if not any(f"{name}-0000" in there for name in self._sealing.names(one))]
            self._sync.forget_files(lost)


class Exchange:
    """One device's exchange with a place: reads what the others wrote, then writes what changed here. Blocks."""

    def __init__(
        self,
        sync: SyncMerge,
        place: Place,
        sealing: Sealing,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> None:
        self._sync, self._place, self._sealing = sync, place, sealing
        self._progress = progress
        self.ahead: str = ""
        """The name of a device whose clock is more than an hour ahead."""
        self._newer = False

    def run(self, arrived: Arrived, done: Exchanged) -> None:
        """Everything that is there at the start; raises `SyncRefused`, and then what was done so far stays done."""
        state = self._sync.state()
        self._check(state)
        files = DocumentFiles(self._sync, self._place, self._sealing, done, self._progress)
        self._read(state, arrived, done)
        self._sync.take_free_name()
        files.fetch(arrived)
        self._sync.finish(arrived)
        self._send(done)
        files.send()
        self._send(done)
        files.forget()
        self._tidy(files)
        if self._newer:
            raise refused("newer", phrase("A newer version of Plimsoll syncs at this place. Update this one."))

    def _send(self, done: Exchanged) -> None:
        while (pack := self._sync.next_pack()) is not None:
            done.bytes += self._write(pack)
            done.sent += 1

    def _check(self, state: Mapping[str, Any]) -> None:
        """Nothing is done where the place is not the one that it was."""
        space = newest_space(self._place)
        if space is None:
            raise refused(
                "store", phrase("The place is empty: what was synced is not there any more. Nothing here is deleted.")
            )
        if space.space != state["space"]:
            raise refused("store", phrase("Another history is synced at this place now. Nothing here is deleted."))
        if space.epoch > state["epoch"]:
            raise refused("config", phrase("The passphrase was changed on another device. Enter the new one."))
        own = self.last(self._sealing.tag(state["device"]), state["number"])
        if own < state["number"] and not state.get("covers"):
            raise refused(
                "store",
                phrase(
                    "The place lacks what this device wrote there, as if it had been set back. Nothing here is deleted."
                ),
            )
        # This device may have been ended between writing an object and noting it: then it still waits to be sent.
        if own > state["number"] and not (own == state["number"] + 1 and self._sync.has_outbox(own)):
            raise refused(
                "cloned",
                phrase("Another copy of this data folder syncs as this device. This one can go on as a new device."),
            )

    def last(self, tag: str, known: int = 0) -> int:
        """The last number that is there; 0: none."""
        behind = "" if known == 0 else f"{known - 1:010d}-~"
        found = [numbers for name in self._place.names(tag, behind) if (numbers := _numbers(name)) is not None]
        return max((last for last, _, _ in found), default=0)

    def _devices(self, own: str) -> list[str]:
        return [name for name in self._place.names("") if _TAG.fullmatch(name) and name != own]

    def _read(self, state: Mapping[str, Any], arrived: Arrived, done: Exchanged) -> None:
        known = {self._sealing.tag(one): (number, revoked) for one, _, number, _, revoked in self._sync.devices()}
        own = self._sealing.tag(state["device"])
        tags = dict.fromkeys([*self._devices(own), *(tag for tag in known if tag != own)])
        ways = {tag: self._way(tag, known.get(tag, (0, 0))[0]) for tag in tags if not known.get(tag, (0, 0))[1]}
        total, read = sum(map(len, ways.values())), 0
        for tag, names in ways.items():
            for name in names:
                size = self._take(tag, name, arrived)
                if size == 0:
                    break  # not all there yet: what follows waits for it
                done.received += 1
                done.bytes += size
                read += 1
                self._progress(read, total)

    def _way(self, tag: str, number: int) -> list[str]:
        """The names of objects, each of which goes on where the one before ends."""
        behind = "" if number == 0 else f"{number:010d}-~"
        found = [(numbers, name) for name in self._place.names(tag, behind) if (numbers := _numbers(name)) is not None]
        way: list[str] = []
        while fitting := [one for one in found if one[0][1] <= number + 1 <= one[0][0]]:
            numbers, name = max(fitting)
            way.append(name)
            number = numbers[0]
        return way

    def _take(self, tag: str, name: str, arrived: Arrived) -> int:
        """Merges one object; its bytes, 0 where it is not whole."""
        sealed = self._place.read(f"{tag}/{name}")
        data = None if sealed is None else self._sealing.open(f"{tag}/{name}", sealed)
        if sealed is None or data is None:
            if sealed:
                log.warning("an object of the place is not whole, or none of ours")
            return 0
        packs = unfolded(data)
        for content in packs:
            if content.get("v") != FORMAT:
                self._newer = True  # it is left alone, and what follows it waits for the update
                return 0
            if milliseconds(content["time"]) > self._sync.now_ms() + MOST_AHEAD_MS:
                self.ahead = str(content["name"])
            self._sync.take(content, arrived)
        self._sync.add_bytes("received", len(sealed))
        return len(sealed) if packs else 0

    def _tidy(self, files: DocumentFiles) -> None:
        """Makes one object of many small ones of this device, and takes out what was deleted for good since."""
        state = self._sync.state()
        tag = self._sealing.tag(state["device"])
        gone = self._sync.gone()
        erasing = self._sync.connection.execute("SELECT count(*) FROM erasure WHERE stage = 0").fetchone()
        digest = hashlib.sha256(json.dumps([*sorted(gone), erasing]).encode()).hexdigest()
        own = [(numbers, name) for name in self._place.names(tag) if (numbers := _numbers(name)) is not None]
        small = [one for one in own if one[0][0] == one[0][1] >= state.get("small_from", 1)]
        if gone and digest != state.get("tidied", ""):
            for numbers, name in own:
                self._write_again(tag, [(numbers, name)], gone)
        elif len(small) >= FOLDED:
            self._write_again(tag, small[:FOLDED], gone)
            self._sync.write_state(small_from=small[FOLDED - 1][0][0] + 1)
        if digest != state.get("tidied", ""):
            files.look()
            self._sync.write_state(tidied=digest)

    def _write_again(self, tag: str, objects: Sequence[tuple[tuple[int, int, int], str]], gone: Set[str]) -> None:
        """Writes these objects, which follow one another, as one; the new one is there before the old ones go."""
        packs: list[dict[str, Any]] = []
        for _, name in objects:
            sealed = self._place.read(f"{tag}/{name}")
            data = None if sealed is None else self._sealing.open(f"{tag}/{name}", sealed)
            if data is None or not (found := unfolded(data)):
                return  # damaged or away: it stays as it is
            packs += found
        kept = [self._sync.without(pack, gone) for pack in packs]
        if len(objects) == 1 and all(one == other for one, other in zip(kept, packs, strict=True)):
            return
        last, first = objects[-1][0][0], objects[0][0][1]
        number = max(one[0][2] for one in objects) + 1
        name = f"{tag}/{last:010d}-{first:010d}-{number:04d}"
        content = zlib.compress((_FOLDED_HEAD + ", ".join(map(json.dumps, kept)) + "]}").encode(), 6)
        if self._place.create(name, self._sealing.seal(name, content)):
            for _, old in objects:
                self._place.remove(f"{tag}/{old}")

    def _write(self, pack: Pack) -> int:
        state = self._sync.state()
        tag = self._sealing.tag(state["device"])
        first = 1 if state.get("covers") else pack.number
        name = f"{tag}/{pack.number:010d}-{first:010d}-0000"
        sealed = self._sealing.seal(name, pack.data)
        if not self._place.create(name, sealed):
            there = self._place.read(name)
            if there is None or self._sealing.open(name, there) != pack.data:
                raise refused(
                    "cloned",
                    phrase(
                        "Another copy of this data folder syncs as this device. This one can go on as a new device."
                    ),
                )
        self._sync.sent(pack, len(sealed))
        if len(sealed) > _SMALL:
            self._sync.write_state(small_from=pack.number + 1)
        return len(sealed)


_FOLDED_HEAD: Final = '{"packs": ['


def _each_pack(text: str) -> Iterator[Any]:
    """Reads one after another: the window waits for one call of the decoder, and there may be hundreds of packs."""
    if not text.startswith(_FOLDED_HEAD):
        yield json.loads(text)
        return
    at = len(_FOLDED_HEAD)
    while not text.startswith("]}", at):
        pack, at = json.JSONDecoder().raw_decode(text, at)
        yield pack
        at += 2 if text.startswith(", ", at) else 0


def unfolded(data: bytes) -> list[dict[str, Any]]:
    """The packs in an object; one that no version writes is an empty list."""
    try:
        return [one for one in _each_pack(inflated(data, MOST_BYTES).decode()) if isinstance(one, dict)]
    except UNREADABLE as error:
        log.warning("an object of the place can't be read: %s", type(error).__name__)
        return []


def accept(sync: SyncMerge, place: Place, sealing: Sealing, space: SpaceObject) -> None:
    """Uses the place as it is now, as the user has decided: all that is here goes there again."""
    state = sync.state()
    there = newest_space(place)
    if there is None:
        write_space(place, space)
    elif there.space != space.space:
        raise refused("store", phrase("Another history is synced at this place now. Leave, then set sync up anew."))
    exchange = Exchange(sync, place, sealing)
    own = exchange.last(sealing.tag(state["device"]))
    for device, name, number, _, _ in sync.devices():
        sync.set_read(device, name, min(number, exchange.last(sealing.tag(device))))
    if own > state["number"] and not sync.has_outbox(own):
        sync.send_all_again({"device": new_id(), "number": 0, "covers": 0})
        sync.set_read(state["device"], state["name"], state["number"])
    else:
        sync.send_all_again({"number": max(own, state["number"]), "covers": 1})
