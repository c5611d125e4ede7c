#!/usr/bin/env python3
"""Verifies what a service signs, with nothing of svc-kit: Python's standard library and the openssl command.
  verify.py manifest   manifest.json   --jwks jwks.json --manifest-kid KID [--signature manifest.jws]
  verify.py grant      grant.json      --jwks jwks.json --manifest-kid KID --manifest manifest.json
  verify.py checkpoint checkpoint.json --jwks jwks.json --manifest-kid KID --manifest manifest.json [--since older.json]
  verify.py entry      entry.json      --jwks jwks.json --manifest-kid KID --manifest manifest.json --checkpoint checkpoint.json
  verify.py export     trail.ndjson    --jwks jwks.json --manifest-kid KID --manifest manifest.json [--since checkpoint.json]
KID is the id of the key that signs the manifest, from whoever runs the service; the manifest says what the other keys are for.
The formats are described in docs/formats.md. Exit code 0 verified, 1 not verified, 2 usage.
"""
import argparse, base64, datetime, decimal, hashlib, itertools, json, pathlib, re, subprocess, sys, tempfile
class Bad(Exception):
    """Something does not hold: a message, and for exports the first entry that it is about."""
ERRORS = (Bad, subprocess.SubprocessError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
sys.setrecursionlimit(9000)
def need(holds, message):
    if not holds:
        raise Bad(message)
def reason(error):
    return f"there is no member {error}" if isinstance(error, KeyError) else str(error.args[0])

# JSON: strict reading, and the canonical form of RFC 8785
def once(pairs):
    need(len({name for name, _ in pairs}) == len(pairs), "a member stands twice")
    return dict(pairs)
def parse(data):
    double = lambda text: int(float(text)) if float(text).is_integer() and abs(float(text)) < 2**53 else float(text)
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_float=double)
        canonical(value).encode("utf-8")  # refuses half surrogate pairs, NaN and Infinity
        return value
    except (UnicodeError, ValueError, OverflowError, RecursionError) as error:
        raise Bad(f"not JSON: {error}") from None
def number(value):  # as ECMAScript writes it
    if isinstance(value, int) and (abs(value) < 2**53 or number(float(value)) != str(value)):
        need(int(float(value)) == value, "a double cannot carry an integer")
    need(abs(float(value)) < float("inf"), "a number is too large")
    exact = decimal.Decimal(repr(float(value))).normalize()
    return format(exact if exact else abs(exact), "f" if -7 < exact.adjusted() < 21 else "e")
def canonical(value, depth=0):
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number(value)
    need(depth < 512, "nested too deep")
    if isinstance(value, list):
        return "[" + ",".join(canonical(each, depth + 1) for each in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name], depth + 1) for name in names) + "}"
def parse_canonical(data):
    value = parse(data)
    need(canonical(value).encode() == data, "not the canonical form of its content")
    return value

# Signatures: ES256, detached JWS (RFC 7515, appendix F)
def b64(text):
    data = base64.urlsafe_b64decode(text + "==")
    need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text, "base64url in another spelling")
    return data
def verify_es256(jwk, data, signature):
    need(len(signature) == 64, "a signature has 64 bytes")
    key = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004") + b64(jwk["x"]) + b64(jwk["y"])
    integers = b""
    for value in (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")):
        length = value.bit_length() // 8 + 1
        integers += bytes([2, length]) + value.to_bytes(length, "big")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("key", key), ("sig", bytes([0x30, len(integers)]) + integers), ("data", data)):
            pathlib.Path(folder, name).write_bytes(content)
        command = ["openssl", "dgst", "-sha256", "-verify", "key", "-keyform", "DER", "-signature", "sig", "data"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    need(done.returncode == 0, "the signature is not of these bytes")
def verify_detached(jws, payload, keys):
    """The key that signed. The header must be exactly alg and kid."""
    header, attached, signature = jws.split(".")
    members = parse(b64(header))
    need(attached == "" and members == {"alg": "ES256", "kid": members["kid"]}, "not a detached ES256 signature")
    trusted = [key for key in keys if key["kid"] == members["kid"]]
    need(trusted, f"the key {members['kid']} is not trusted")
    signed = f"{header}.{base64.urlsafe_b64encode(payload).rstrip(b'=').decode()}"
    verify_es256(trusted[0], signed.encode(), b64(signature))
    return members["kid"]
def thumbprint(key):  # RFC 7638
    need((key["kty"], key["crv"]) == ("EC", "P-256"), "not a P-256 key")
    members = '{"crv":"P-256","kty":"EC","x":%s,"y":%s}' % (json.dumps(key["x"]), json.dumps(key["y"]))
    return base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=").decode()
def in_time(kid, dated, keys):
    """What a retired key signed is dated before its end."""
    for end in (key["retired_from"] for key in keys if key["kid"] == kid and "retired_from" in key):
        need(time_of(dated) <= time_of(end), f"the key {kid} was retired at {end}, but this is dated {dated}")
    return kid
def uncounted(kid, head, keys):
    """Of a leaked key one checkpoint counts by itself: the last before the leak, which is known by its root."""
    ends = [key["until_checkpoint"] for key in keys if key["kid"] == kid and "until_checkpoint" in key]
    differs = any(end[name] != head[name] for end in ends for name in ("sequence", "entry_count", "merkle_root"))
    return differs and f"the key {kid} has leaked and counts up to checkpoint {ends[0]['sequence']} only"
def counted(kid, head, keys):
    need(not (why := uncounted(kid, head, keys)), why)
    return kid

# The Merkle tree (RFC 9162, section 2.1)
def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
HASH = re.compile(r"sha256:[0-9a-f]{64}")
def are_hashes(values):
    return isinstance(values, list) and all(isinstance(value, str) and HASH.fullmatch(value) for value in values)
def unhash(text):
    need(are_hashes([text]), "not a hash")
    return bytes.fromhex(text[7:])
def climb(seed, path, index, inner, left_only=False):
    """Up from a subtree: `inner` steps beside the path of `index`, then steps along the tree's right border."""
    for level, sibling in enumerate(map(unhash, path)):
        if level >= inner or index >> level & 1:
            seed = sha256(b"\1", sibling, seed)
        elif not left_only:
            seed = sha256(b"\1", seed, sibling)
    return seed
def steps(index, size):
    inner = (index ^ (size - 1)).bit_length()
    return inner, bin(index >> inner).count("1")
def verify_inclusion(leaf, index, size, path, root):
    need(0 <= index < size and len(leaf) == 32, "the leaf is not in the tree")
    inner, border = steps(index, size)
    need(len(path) == inner + border, "the inclusion proof has the wrong length")
    need(climb(leaf, path, index, inner) == root, "the inclusion proof does not lead to the root")
def verify_consistency(older, newer, path):
    old, new = older["entry_count"], newer["entry_count"]
    if old == 0:
        return need(path == [], "nothing is proven of the tree of no entries")
    need(old <= new, "the older tree is larger")
    old_root, new_root = unhash(older["merkle_root"]), unhash(newer["merkle_root"])
    shift = (old & -old).bit_length() - 1
    whole = old in (1 << shift, new)  # the old tree is a subtree of the new one
    seed, path = (old_root, path) if whole else (unhash(path[0]), path[1:])
    inner, border = (shift, 0) if old == new else steps(old - 1, new)
    inner, index = inner - shift, (old - 1) >> shift
    need(len(path) == inner + border, "the consistency proof has the wrong length")
    need(climb(seed, path, index, inner, left_only=True) == old_root or whole, "the old tree is another one")
    need(climb(seed, path, index, inner) == new_root, "history was rewritten")

# What is signed
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII)
def time_of(text):
    found = TIME.fullmatch(text)
    need(found, f"{text} is no time")
    return datetime.datetime.fromisoformat(found[1] + found[3].replace("Z", "+00:00")) + datetime.timedelta(seconds=float(found[2] or 0))
def keys_of(role, origin):
    """The keys that the signed manifest gives a role to; what is judged says nothing of roles."""
    if role == "manifest":
        return origin["pinned"]
    listed = [(key, origin["roles"].get(key["kid"], {})) for key in origin["jwks"]]
    return [{**key, **said} for key, said in listed if said.get("role") == role]
def origin_of(jwks, kids, manifest=None, jws=None, now=None):
    need(all(thumbprint(key) == key["kid"] for key in jwks), "a kid is not the thumbprint of its key")
    origin = {"jwks": jwks, "pinned": [key for key in jwks if key["kid"] in kids]}
    if manifest is not None:
        kid, document = verify_manifest(manifest, jws, origin["pinned"], now), parse(manifest)
        origin["roles"], origin["service"] = document["service_identity"]["x-keys"], document["service_identity"]["id"]
    return origin
def verify_manifest(data, jws, keys, now):
    kid, document = verify_detached(jws, data, keys), parse_canonical(data)
    roles = document["service_identity"]["x-keys"]
    need(all(key["role"] in ("manifest", "tokens", "audit") for key in roles.values()), "a key has an unknown role")
    need(roles[kid]["role"] == "manifest", "its key is not listed as one that signs manifests")
    stated = document["manifest_metadata"].pop("sha256")
    need(sha256(canonical(document).encode()).hex() == stated, "the digest is not that of the content")
    need(time_of(document["manifest_metadata"]["expires_at"]) > now, "the manifest has expired")
    return kid
def verify_signed(record, keys):
    """A record whose `signature` is over the canonical form of its other members: a grant, the seal of an export."""
    rest = {name: member for name, member in record.items() if name != "signature"}
    return verify_detached(record["signature"], canonical(rest).encode(), keys)
HEAD = dict(checkpoint_id=str, created_at=str, entry_count=int, merkle_root=str, sequence=int, signature=str)
def shaped(record, **types):  # members have their types; an int is one that counts
    fits = lambda value, kind: type(value) is kind and (kind is not int or 0 <= value < 2**53)
    return isinstance(record, dict) and all(fits(record.get(name), kind) for name, kind in types.items())
def is_head(record):
    return shaped(record, **HEAD) and are_hashes([record["merkle_root"]])
def verify_head(record, keys):
    need(is_head(record), "not a checkpoint")
    return in_time(verify_signed({name: record[name] for name in HEAD}, keys), record["created_at"], keys)
def verify_checkpoint(record, keys, since=None):
    kid, size, head = counted(verify_head(record, keys), record, keys), record["entry_count"], record["merkle_root"]
    same = canonical([record.get("tree_size", size), record.get("tree_head", head)]) == canonical([size, head])
    need(same, "tree_size or tree_head is not that of the checkpoint")
    if "inclusion_proof" in record:
        proof = record["inclusion_proof"]
        need(shaped(proof, leaf_index=int, tree_size=int, path=list) and proof["tree_size"] == size, "not for this size")
        verify_inclusion(unhash(proof["leaf_hash"]), proof["leaf_index"], size, proof["path"], unhash(head))
    if since is not None:
        verify_head(since, keys)
        proof, old = record["consistency_proof"], since["entry_count"]
        holds = shaped(proof, from_size=int, to_size=int, path=list)
        need(holds and 0 < proof["from_size"] == old and proof["to_size"] == size, "no consistency proof for these sizes")
        verify_consistency(since, record, proof["path"])
    return kid
def verify_entry(record, checkpoint, keys, withheld=False):
    kid, proof = verify_checkpoint(checkpoint, keys), checkpoint["inclusion_proof"]
    if record.get("redacted") is True:  # nothing that stands in it is proven
        need(record["leaf_hash"] == proof["leaf_hash"], "the proof is of another entry")
        need(withheld, "included, content withheld (--allow-withheld)")
        return kid
    need(sha256(b"\0", canonical(record).encode()) == unhash(proof["leaf_hash"]), "the proof is of another entry")
    need(shaped(record, sequence=int) and record["sequence"] == proof["leaf_index"] + 1, "the proof is of another place")
    return kid
HEADER = dict(svc_audit_export=int, service_id=str, exported_at=str, from_sequence=int, to_sequence=int, keys=list)
def is_header(record):
    return shaped(record, **HEADER) and record["svc_audit_export"] == 1 <= record["from_sequence"]
def is_checkpoint(record):
    return record.get("type") == "checkpoint" and is_head(record.get("checkpoint")) and are_hashes(record.get("path"))
def verify_entry_line(record, due, last):
    sound = shaped(record, type=str, sequence=int, path=list) and record["type"] == "entry"
    need(sound and ("leaf" in record) != ("leaf_hash" in record), f"entry {due} is not as it is exported")
    text = record.get("leaf", "").encode()
    leaf, entry = (sha256(b"\0", text), parse_canonical(text)) if text else (unhash(record["leaf_hash"]), record)
    need(shaped(entry, sequence=int) and entry["sequence"] == record["sequence"] == due, f"entry {due} is not in its place")
    verify_inclusion(leaf, due - 1, last["entry_count"], record["path"], unhash(last["merkle_root"]))
    return entry if text else None
def erased_by(entry):
    """The runs of sequences that an erasure accounts for: rising, apart, before it, and as many as it says."""
    bounds, count = [0], 0
    for run in entry["erased"]["ranges"]:
        first, last = run
        need(type(first) is type(last) is int and bounds[-1] + (len(bounds) > 1) < first <= last, "an erasure's runs do not rise")
        bounds, count = bounds + run, count + last - first + 1
    need(0 < count == entry["erased"]["count"] and bounds[-1] < entry["sequence"], "an erasure does not say what it erased")
    return entry["erased"]["ranges"]

def verify_export(data, keys, since=None, service=None):
    """Raises for the first bad sequence, whatever else is wrong."""
    troubles, lines = [], data.split(b"\n")
    rest = lines.pop() if lines[-1] == b"" else lines[-1]  # what has no line feed is a line, too
    def check(sequence, work, *arguments):
        try:
            return work(*arguments)
        except ERRORS as error:
            troubles.append((sequence or float("inf"), reason(error)))
    records = [each if isinstance(each := check(None, parse_canonical, line), dict) else {} for line in lines]
    need(records and is_header(records[0]), "the first line is not the header of an audit export")
    need(since is None or is_head(since), "what you hold is not a checkpoint")
    first, stated = records[0]["from_sequence"], records[0]["to_sequence"] + 1
    stated_keys = [key["kid"] for key in records[0]["keys"] if isinstance(key, dict) and "kid" in key]
    keys = [key for key in keys if key["kid"] in stated_keys]
    seal = records.pop() if len(records) > 1 and records[-1].get("type") == "seal" else {}
    points = list(itertools.takewhile(is_checkpoint, records[1:]))
    heads = [{"entry_count": 0, "sequence": 0, "merkle_root": ""}] + [point["checkpoint"] for point in points]
    why, proven = False, 0
    for old, new, point in zip(heads, heads[1:], points):
        due = old["entry_count"] + 1
        why = uncounted(check(due, verify_head, new, keys), new, keys)  # a later one that counts makes up for it
        proven = proven if why else new["entry_count"]
        check(due, need, new["sequence"] == old["sequence"] + 1, "a checkpoint is missing")
        check(due, verify_consistency, old, new, point["path"])
    check(proven + 1, need, not why, why)
    last, end = heads[-1], first + len(records) - len(points) - 1
    erased, covers = [], []
    for due in range(first, end):
        entry = check(due, verify_entry_line, records[due - end], due, last)
        if "leaf_hash" in records[due - end]:
            erased.append(due)
        elif entry and entry.get("entry_type") == "erasure":
            covers += check(due, erased_by, entry) or []
    covers.sort()
    reach, at = 0, 0
    for due in erased:
        while at < len(covers) and covers[at][0] <= due:
            reach, at = max(reach, covers[at][1]), at + 1
        check(due, need, due <= reach, f"the content of entry {due} was erased, and no entry accounts for it")
    check(min(end, stated), need, end == stated <= last["entry_count"] + 1, f"the export ends before entry {end}")
    if since is not None:
        same = [(head["entry_count"], head["merkle_root"]) for head in heads[1:] if head["sequence"] == since["sequence"]]
        check(last["entry_count"] + 1, need, same, "the checkpoint that you hold is missing: rolled back")
        check(1, need, same[:1] in ([], [(since["entry_count"], since["merkle_root"])]), "two histories")
    content = {"lines": len(lines) - 1, "sha256": "sha256:" + sha256(*(line + b"\n" for line in lines[:-1])).hex()}
    whole = canonical({**content, "signature": seal.get("signature"), "type": "seal"}) == canonical(seal) and not rest
    check(None, need, whole, "the export is not as it was sealed")
    check(None, need, service in (None, records[0]["service_id"]), "the export is of another service")
    kid = check(None, verify_signed, seal, keys)
    check(None, in_time, kid, records[0]["exported_at"], keys)
    check(None, counted, kid, last, keys)
    if troubles:
        sequence, message = min(troubles, key=lambda trouble: trouble[0])
        raise Bad(message, *([] if sequence == float("inf") else [sequence]))
    return kid

ROLES = dict(manifest="manifest", grant="tokens", checkpoint="audit", entry="audit", export="audit")
def verify(kind, data, origin, now, signature=None, checkpoint=None, since=None, withheld=False):
    """The key that signed. Raises one of ERRORS for what does not verify."""
    since, keys = None if since is None else parse(since), keys_of(ROLES[kind], origin)
    if kind == "manifest":
        return verify_manifest(data, signature.decode("latin-1").strip(), keys, now)
    if kind == "export":
        return verify_export(data, keys, since, origin["service"])
    if kind == "entry":
        return verify_entry(parse(data), parse(checkpoint), keys, withheld)
    if kind == "grant":
        return in_time(verify_signed(parse(data), keys), parse(data).get("issued_at", ""), keys)
    return verify_checkpoint(parse(data), keys, since)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["manifest", "grant", "checkpoint", "entry", "export"])
    parser.add_argument("file", type=pathlib.Path)
    for name in ("jwks", "signature", "checkpoint", "since"):
        parser.add_argument(f"--{name}", type=pathlib.Path, metavar="FILE", required=name == "jwks")
    parser.add_argument("--manifest", type=pathlib.Path, metavar="FILE", help="signed; its signature stands beside it (.jws)")
    parser.add_argument("--manifest-kid", action="append", default=[], metavar="KID")
    parser.add_argument("--allow-withheld", action="store_true", help="for a redacted entry: that it is included is enough")
    parser.add_argument("--at", metavar="TIME", help="judge the manifest at this time, not now")
    given = parser.parse_args()
    given.signature = given.signature or (given.file.with_suffix(".jws") if given.kind == "manifest" else None)
    if given.kind == "entry" and not given.checkpoint:
        parser.error("an entry needs --checkpoint: the checkpoint in detail form, with its inclusion proof")
    now, names = datetime.datetime.now(datetime.timezone.utc), ("signature", "checkpoint", "since")
    if not given.manifest_kid or (given.kind != "manifest" and not given.manifest):
        return print(f"NOT verified: {given.kind} {given.file}: origin unverified: name --manifest-kid and --manifest") or 1
    try:
        now = time_of(given.at) if given.at else now
        jws = given.manifest.with_suffix(".jws").read_text("latin-1").strip() if given.manifest else None
        manifest = given.manifest.read_bytes() if given.manifest else None
        origin = origin_of(parse(given.jwks.read_bytes())["keys"], given.manifest_kid, manifest, jws, now)
        extra = {name: path.read_bytes() for name in names if (path := getattr(given, name))}
        kid = verify(given.kind, given.file.read_bytes(), origin, now, withheld=given.allow_withheld, **extra)
    except OSError as error:
        parser.error(str(error))
    except ERRORS as error:
        why = ", first bad sequence ".join([reason(error), *map(str, error.args[1:2] if isinstance(error, Bad) else [])])
        return print(f"NOT verified: {given.kind} {given.file}: {why}") or 1
    return print(f"verified: {given.kind} {given.file}, signed by {kid}")
if __name__ == "__main__":
    sys.exit(main())
