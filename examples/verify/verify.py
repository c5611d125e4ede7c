#!/usr/bin/env python3
"""Verifies what a service signs, with nothing of svc-kit: Python's standard library and the openssl command.
  verify.py manifest   manifest.json   --jwks jwks.json [--signature manifest.jws]
  verify.py grant      grant.json      --jwks jwks.json
  verify.py checkpoint checkpoint.json --jwks jwks.json [--since older.json]
  verify.py entry      entry.json      --jwks jwks.json --checkpoint checkpoint.json
  verify.py export     trail.ndjson    --jwks jwks.json [--since checkpoint.json]
The formats are described in docs/formats.md. Exit code 0 verified, 1 not verified, 2 usage.
"""
import argparse, base64, datetime, decimal, hashlib, itertools, json, pathlib, re, subprocess, sys, tempfile

class Bad(Exception):
    """Something does not hold: a message, and for exports the first entry that it is about."""
ERRORS = (Bad, KeyError, TypeError, ValueError, AttributeError, IndexError)
def need(holds, message):
    if not holds:
        raise Bad(message)

# JSON: strict reading, and the canonical form of RFC 8785
def once(pairs):
    need(len({name for name, _ in pairs}) == len(pairs), "a member stands twice")
    return dict(pairs)
def parse(data):
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=lambda name: need(False, name))
        canonical(value).encode("utf-8")  # refuses half surrogate pairs
        return value
    except (UnicodeError, ValueError, RecursionError) as error:
        raise Bad(f"not JSON: {error}") from None

def number(value):
    """A number as ECMAScript writes it."""
    if isinstance(value, int) and (abs(value) < 2**53 or number(float(value)) != str(value)):
        need(int(float(value)) == value, "a double cannot carry an integer")
    need(abs(float(value)) < float("inf"), "a number is too large")
    sign, digits, exponent = decimal.Decimal(repr(float(value))).normalize().as_tuple()
    digits, point = "".join(map(str, digits)), len(digits) + exponent
    if 0 < point <= 21:
        text = digits[:point].ljust(point, "0") + ("." + digits[point:] if digits[point:] else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+d}"
    return "-" + text if sign and value else text
def canonical(value):
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if not isinstance(value, dict):
        return number(value)
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
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
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
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

# The Merkle tree (RFC 9162, section 2.1)
def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
HASH = re.compile(r"sha256:[0-9a-f]{64}")
def unhash(text):
    need(isinstance(text, str) and HASH.fullmatch(text), "not a hash")
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

def verify_consistency(old, old_root, new, new_root, path):
    need(0 < old <= new, "no consistency proof from this size")
    shift = (old & -old).bit_length() - 1
    whole = old in (1 << shift, new)  # the old tree is a subtree of the new one
    seed, path = (old_root, path) if whole else (unhash(path[0]), path[1:])
    inner, border = (shift, 0) if old == new else steps(old - 1, new)
    inner, index = inner - shift, (old - 1) >> shift
    need(len(path) == inner + border, "the consistency proof has the wrong length")
    need(climb(seed, path, index, inner, left_only=True) == old_root or whole, "the old tree is another one")
    need(climb(seed, path, index, inner) == new_root, "history was rewritten")
# What is signed
def verify_manifest(data, jws, keys, now):
    kid, document = verify_detached(jws, data, keys), parse_canonical(data)
    metadata = document["manifest_metadata"]
    stated = metadata.pop("sha256")
    need(sha256(canonical(document).encode()).hex() == stated, "the digest is not that of the content")
    need(datetime.datetime.fromisoformat(metadata["expires_at"].replace("Z", "+00:00")) > now, "the manifest has expired")
    return kid
def verify_signed(record, keys):
    """A record whose `signature` is over the canonical form of its other members: a grant, the seal of an export."""
    rest = {name: member for name, member in record.items() if name != "signature"}
    return verify_detached(record["signature"], canonical(rest).encode(), keys)

def verify_checkpoint(record, keys, since=None):
    head = {name: record[name] for name in ("checkpoint_id", "sequence", "merkle_root", "entry_count", "created_at")}
    kid = verify_detached(record["signature"], canonical(head).encode(), keys)
    size, root = record["entry_count"], unhash(record["merkle_root"])
    same = (record.get("tree_size", size), record.get("tree_head", record["merkle_root"]))
    need(same == (size, record["merkle_root"]), "tree_size or tree_head is not that of the checkpoint")
    if proof := record.get("inclusion_proof"):
        need(proof["tree_size"] == size, "the inclusion proof is for another size")
        verify_inclusion(unhash(proof["leaf_hash"]), proof["leaf_index"], size, proof["path"], root)
    if since is not None:
        verify_checkpoint(since, keys)
        proof, old = record["consistency_proof"], since["entry_count"]
        need((proof["from_size"], proof["to_size"]) == (old, size), "the consistency proof is for other sizes")
        verify_consistency(old, unhash(since["merkle_root"]), size, root, proof["path"])
    return kid

def verify_entry(record, checkpoint, keys):
    kid, proof = verify_checkpoint(checkpoint, keys), checkpoint["inclusion_proof"]
    need(sha256(b"\0", canonical(record).encode()) == unhash(proof["leaf_hash"]), "the proof is of another entry")
    need(record["sequence"] == proof["leaf_index"] + 1, "the proof is of another place")
    return kid
def shaped(record, **types):
    return isinstance(record, dict) and all(type(record.get(name)) is kind for name, kind in types.items())
def is_header(record):
    counts = shaped(record, svc_audit_export=int, from_sequence=int, to_sequence=int, keys=list)
    return counts and record["svc_audit_export"] == 1 and record["from_sequence"] > 0 <= record["to_sequence"]
def is_checkpoint(record):
    head, path = record.get("checkpoint"), record.get("path")
    texts = shaped(head, checkpoint_id=str, created_at=str, signature=str, merkle_root=str, sequence=int, entry_count=int)
    hashes = texts and isinstance(path, list) and [head["merkle_root"], *path]
    return record.get("type") == "checkpoint" and hashes and all(HASH.fullmatch(str(hash)) for hash in hashes)
def verify_entry_line(record, due, last):
    text, hash = record.get("leaf"), record.get("leaf_hash")
    need(record.get("type") == "entry" and (text is None) != (hash is None), f"entry {due} is not as it is exported")
    leaf, entry = (unhash(hash), record) if text is None else (sha256(b"\0", text.encode()), parse_canonical(text.encode()))
    need(entry["sequence"] == record.get("sequence") == due, f"entry {due} is not in its place")
    verify_inclusion(leaf, due - 1, last["entry_count"], record.get("path"), unhash(last["merkle_root"]))

def verify_export(data, keys, since=None):
    """Raises for the first bad sequence, whatever else is wrong."""
    troubles, (*lines, rest) = [], data.split(b"\n")

    def check(sequence, work, *arguments):
        try:
            return work(*arguments)
        except ERRORS as error:
            troubles.append((sequence or float("inf"), str(error.args[0])))

    parsed = [check(None, parse_canonical, line) for line in lines]
    records = [record if isinstance(record, dict) else {} for record in parsed]
    need(is_header(records[0]), "the first line is not the header of an audit export")
    first, stated = records[0]["from_sequence"], records[0]["to_sequence"] + 1
    keys = [key for key in keys if key in records[0]["keys"]]
    seal = records.pop() if records[-1].get("type") == "seal" else {}
    points = list(itertools.takewhile(is_checkpoint, records[1:]))
    heads = [point["checkpoint"] for point in points]
    for old, point in zip([None] + heads, points):
        new, due = point["checkpoint"], (old["entry_count"] if old else 0) + 1
        check(due, verify_checkpoint, new, keys)
        check(due, need, new["sequence"] == (old["sequence"] if old else 0) + 1, "a checkpoint is missing")
        if old and old["entry_count"]:
            sizes = (old["entry_count"], unhash(old["merkle_root"]), new["entry_count"], unhash(new["merkle_root"]))
            check(due, verify_consistency, *sizes, point["path"])
    last = heads[-1] if heads else {"entry_count": 0, "merkle_root": "sha256:" + "0" * 64}
    end = first + len(records) - len(points) - 1
    for due in range(first, end):
        check(due, verify_entry_line, records[due - end], due, last)
    check(min(end, stated), need, end == stated <= last["entry_count"] + 1, f"the export ends before entry {end}")
    if since is not None:
        same = [head["merkle_root"] for head in heads if head["sequence"] == since["sequence"]]
        check(last["entry_count"] + 1, need, same, "the checkpoint that you hold is missing: rolled back")
        check(1, need, same in ([], [since["merkle_root"]]), "two histories")
    body = [len(lines) - 1, "sha256:" + sha256(*(line + b"\n" for line in lines[:-1])).hex()]
    check(None, need, [seal.get("lines"), seal.get("sha256")] == body and not rest, "the export is not as it was sealed")
    kid = check(None, verify_signed, seal, keys)
    if troubles:
        sequence, message = min(troubles, key=lambda trouble: trouble[0])
        raise Bad(message, *([] if sequence == float("inf") else [sequence]))
    return kid

def verify(kind, data, keys, now, signature=None, checkpoint=None, since=None):
    """The key that signed. Raises one of ERRORS for what does not verify."""
    since = None if since is None else parse(since)
    return {
        "manifest": lambda: verify_manifest(data, signature.decode().strip(), keys, now),
        "grant": lambda: verify_signed(parse(data), keys),
        "checkpoint": lambda: verify_checkpoint(parse(data), keys, since),
        "entry": lambda: verify_entry(parse(data), parse(checkpoint), keys),
        "export": lambda: verify_export(data, keys, since),
    }[kind]()

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["manifest", "grant", "checkpoint", "entry", "export"])
    parser.add_argument("file", type=pathlib.Path)
    for name in ("jwks", "signature", "checkpoint", "since"):
        parser.add_argument(f"--{name}", type=pathlib.Path, metavar="FILE", required=name == "jwks")
    given = parser.parse_args()
    given.signature = given.signature or (given.file.with_suffix(".jws") if given.kind == "manifest" else None)
    if given.kind == "entry" and not given.checkpoint:
        parser.error("an entry needs --checkpoint: the checkpoint in detail form, with its inclusion proof")
    now, names = datetime.datetime.now(datetime.timezone.utc), ("signature", "checkpoint", "since")
    try:
        extra = {name: path.read_bytes() for name in names if (path := getattr(given, name))}
        kid = verify(given.kind, given.file.read_bytes(), parse(given.jwks.read_bytes())["keys"], now, **extra)
    except OSError as error:
        parser.error(str(error))
    except ERRORS as error:
        where = f", first bad sequence {error.args[1]}" if error.args[1:] else ""
        return print(f"NOT verified: {given.kind} {given.file}: {error.args[0]}{where}") or 1
    return print(f"verified: {given.kind} {given.file}, signed by {kid}")

if __name__ == "__main__":
    sys.exit(main())
