"""Verifies a published manifest: ES256 (RFC 7518, section 3.4) over P-256. Public values only, so nothing here need be constant in time."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
from typing import Any, Dict, List, Mapping, Optional, Tuple

_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
_Point = Optional[Tuple[int, int]]


def verified_manifest(body: bytes, jws: str, jwks: Mapping[str, Any], pinned: List[str], now: float) -> Mapping[str, Any]:
    """The manifest, if one of the pinned keys signed exactly these bytes and it has not expired; else a ValueError that says why."""
    header, attached, signature = jws.split(".")
    members = json.loads(_b64(header))
    if attached != "" or members != {"alg": "ES256", "kid": members["kid"]}:
        raise ValueError("it is not signed with a detached ES256 signature")
    kid = members["kid"]
    if kid not in pinned:
        raise ValueError(f"it is signed by {kid}, which is not pinned")
    key = next((each for each in jwks["keys"] if each["kid"] == kid), None)
    if key is None or _thumbprint(key) != kid:
        raise ValueError(f"the service publishes no key {kid}")
    signed = f"{header}.{base64.urlsafe_b64encode(body).rstrip(b'=').decode()}".encode()
    if not _holds(key, signed, _b64(signature)):
        raise ValueError("its signature does not hold: it was changed on the way")
    manifest: Dict[str, Any] = json.loads(body)
    if _role_of(kid, manifest) != "manifest":
        raise ValueError(f"it does not list the key {kid}, which signed it, as one that signs manifests")
    expires = datetime.datetime.fromisoformat(manifest["manifest_metadata"]["expires_at"].replace("Z", "+00:00"))
    if expires.timestamp() <= now:
        raise ValueError(f"it expired at {expires.isoformat()}")
    return manifest


def _role_of(kid: str, manifest: Mapping[str, Any]) -> Any:
    """What the manifest says that a key is for; its own is for manifests."""
    return manifest["service_identity"].get("x-keys", {}).get(kid, {}).get("role")


def _b64(text: str) -> bytes:
    data = base64.urlsafe_b64decode(text + "==")
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("it has base64url in another spelling")
    return data


def _thumbprint(key: Mapping[str, Any]) -> str:
    """RFC 7638, section 3."""
    if (key["kty"], key["crv"]) != ("EC", "P-256"):
        raise ValueError("its key is none of P-256")
    members = f'{{"crv":"P-256","kty":"EC","x":{json.dumps(key["x"])},"y":{json.dumps(key["y"])}}}'
    return base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=").decode()


def _holds(key: Mapping[str, Any], data: bytes, signature: bytes) -> bool:
    x, y = (int.from_bytes(_b64(key[name]), "big") for name in ("x", "y"))
    if not (x < _P and y < _P) or (y * y - (x * x * x - 3 * x + _B)) % _P != 0 or len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < _N and 0 < s < _N):
        return False
    digest = int.from_bytes(hashlib.sha256(data).digest(), "big")
    inverse = pow(s, -1, _N)
    point = _add(_times(digest * inverse % _N, _G), _times(r * inverse % _N, (x, y)))
    return point is not None and point[0] % _N == r


def _add(one: _Point, other: _Point) -> _Point:
    if one is None or other is None:
        return one or other
    if one[0] == other[0]:
        if (one[1] + other[1]) % _P == 0:
            return None
        slope = (3 * one[0] * one[0] - 3) * pow(2 * one[1], -1, _P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, _P)
    x = (slope * slope - one[0] - other[0]) % _P
    return x, (slope * (one[0] - x) - one[1]) % _P


def _times(count: int, point: _Point) -> _Point:
    total: _Point = None
    while count:
        if count & 1:
            total = _add(total, point)
        point = _add(point, point)
        count >>= 1
    return total
