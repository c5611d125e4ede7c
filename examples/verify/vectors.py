#!/usr/bin/env python3
"""Judges golden vectors with verify.py: vectors.py vectors.json. Exit code 1 when it disagrees with one of them."""
import datetime, json, sys

from verify import ERRORS, Bad, b64, keys_of, need, origin_of, parse, verify, verify_es256


def verify_token(jwt, keys, service, now):
    header, payload, signature = jwt.split(".")
    members, claims = parse(b64(header)), parse(b64(payload))
    kid = members["kid"]
    need(members == {"alg": "ES256", "kid": kid, "typ": "svc-delegation+jwt"}, "the header is not exactly ours")
    trusted = [key for key in keys if key["kid"] == kid]
    need(trusted, f"the key {kid} is not trusted")
    verify_es256(trusted[0], f"{header}.{payload}".encode(), b64(signature))
    need((claims["iss"], claims["aud"]) == (service, service), "the token is of another service")
    need(claims["nbf"] - 5 <= now.timestamp() < claims["exp"] + 5, "the token is expired or not valid yet")
    return kid


def judge(case, vectors, origin, now):
    """What verify.py makes of a case: whether it verifies, and the first bad sequence."""
    extra = {name: case[name].encode() for name in ("signature", "checkpoint", "since") if name in case}
    try:
        if case["kind"] == "token":
            verify_token(case["artefact"], keys_of("tokens", origin), vectors["service_id"], now)
        else:
            verify(case["kind"], case["artefact"].encode(), origin, now, **extra)
        return "valid", None
    except ERRORS as error:
        return "invalid", error.args[1] if isinstance(error, Bad) and error.args[1:] else None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        vectors = json.load(file)
    now, wrong = datetime.datetime.fromisoformat(vectors["now"]), []
    said = vectors["origin"]
    origin = origin_of(vectors["jwks"]["keys"], said["kids"], said["manifest"].encode(), said["signature"], now)
    for case in vectors["cases"]:
        found, bad = judge(case, vectors, origin, now)
        if found != case["expect"] or case.get("first_bad") != bad:
            wrong.append(case["id"])
    print(f"{len(vectors['cases']) - len(wrong)} agree, {len(wrong)} disagree", *wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
