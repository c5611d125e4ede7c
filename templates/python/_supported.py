"""Whether this client knows all that a manifest says: what it does not know, it could not obey (section 9.6)."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, cast

_NEWEST = (0, 24)

# A text: words; a list: its items; an object: its members, of which '' names those of which no more is known, '*' is every
# member of a map, and '=' are the words that may stand in its place.
KNOWN_FIELDS: Any = {
    "": "include",
    "manifest_metadata": {
        "": "version sha256 issued_at expires_at"
    },
    "service_identity": {
        "": "id name description jwks_uri",
        "issuer_mode": "self"
    },
    "trust": {
        "level": "declarative signed anchored",
        "anchoring": {
            "": "cadence"
        }
    },
    "metadata_disclosure": {
        "caller_class": {
            "*": "full reduced redacted"
        },
        "failure_detail": "full reduced redacted policy",
        "manifest": "public bearer"
    },
    "limits": {
        "": "max_delegation_depth default_ttl_hours max_ttl_hours delegate_to_humans"
    },
    "approvals": {
        "": "approver_scope request_ttl denial_holds allow_agents separation_of_duties"
    },
    "capabilities": {
        "*": {
            "": "description contract_version minimum_scope refresh_via verify_via session",
            "kind": "atomic composed",
            "side_effect": {
                "": "rollback_window compensation",
                "type": "read write transactional irreversible"
            },
            "inputs": [
                {
                    "": "name type required default description semantic_type entity_reference allowed_values catalog_ref",
                    "input_meanings": [
                        {
                            "": "value label description"
                        }
                    ],
                    "resolution": {
                        "": "resolver_ref",
                        "mode": "closed_values backend_resolved actor_policy actor_policy_or_explicit app_selected explicit_only clarify",
                        "on_missing": "clarify use_default use_actor_scope app_select_or_clarify deny deny_or_clarify omit",
                        "on_ambiguous": "clarify use_default use_actor_scope app_select_or_clarify deny deny_or_clarify omit",
                        "on_unresolved": "clarify use_default use_actor_scope app_select_or_clarify deny deny_or_clarify omit"
                    }
                }
            ],
            "output": {
                "": "type",
                "fields": [
                    {
                        "": "name type description"
                    }
                ]
            },
            "cost": {
                "": "compute determined_by factors rate_limit",
                "certainty": "fixed estimated dynamic",
                "financial": {
                    "": "currency amount upper_bound range_min range_max typical"
                }
            },
            "requires": [
                {
                    "": "capability reason"
                }
            ],
            "composition": {
                "": "authority_boundary input_mapping output_mapping empty_result_output",
                "steps": [
                    {
                        "": "id capability empty_result_source empty_result_path"
                    }
                ],
                "failure_policy": {
                    "=": "propagate fail_parent",
                    "child_clarification": "propagate fail_parent",
                    "child_denial": "propagate fail_parent",
                    "child_approval_required": "propagate fail_parent",
                    "child_error": "propagate fail_parent"
                },
                "empty_result_policy": "return_success_no_results clarify deny",
                "audit_policy": {
                    "": "record_child_invocations parent_task_lineage"
                }
            },
            "business_effects": {
                "": "produces does_not_produce"
            },
            "requires_binding": [
                {
                    "": "type field source_capability max_age"
                }
            ],
            "control_requirements": [
                {
                    "type": "cost_ceiling stronger_delegation_required",
                    "enforcement": "reject"
                }
            ],
            "requires_principal": [
                "human agent service oidc"
            ],
            "approval": {
                "": "approvers",
                "required": {
                    "=": "always handler",
                    "when": [
                        {
                            "": "input equals not_equals in above at_least below at_most",
                            "cost": {
                                "": "above at_least"
                            }
                        }
                    ]
                },
                "grant_policy": {
                    "": "expires_in_seconds max_uses",
                    "allowed_grant_types": [
                        "one_time session_bound"
                    ],
                    "default_grant_type": "one_time session_bound"
                },
                "tiers": [
                    {
                        "": "cost_above approver_scope"
                    }
                ],
                "preview": "must_hold"
            },
            "x-upstream": {
                "": "slashes connection",
                "answers": "loose strict"
            },
            "response_modes": [
                "unary streaming"
            ],
            "observability": {
                "": "logged retention fields_logged audit_accessible_by"
            },
            "cross_service": {
                "handoff_to": [
                    {
                        "": "service capability"
                    }
                ],
                "refresh_via": [
                    {
                        "": "service capability"
                    }
                ],
                "verify_via": [
                    {
                        "": "service capability"
                    }
                ],
                "followup_via": [
                    {
                        "": "service capability"
                    }
                ]
            },
            "cross_service_contract": {
                "handoff": [
                    {
                        "": "required_for_task_completion",
                        "target": {
                            "": "service capability"
                        },
                        "continuity": "same_task",
                        "completion_mode": "downstream_acceptance followup_status verification_result"
                    }
                ],
                "followup": [
                    {
                        "": "required_for_task_completion",
                        "target": {
                            "": "service capability"
                        },
                        "continuity": "same_task",
                        "completion_mode": "downstream_acceptance followup_status verification_result"
                    }
                ],
                "verification": [
                    {
                        "": "required_for_task_completion",
                        "target": {
                            "": "service capability"
                        },
                        "continuity": "same_task",
                        "completion_mode": "downstream_acceptance followup_status verification_result"
                    }
                ]
            },
            "composes_with": [
                {
                    "": "capability optional"
                }
            ]
        }
    }
}


def assert_supported(manifest: Mapping[str, Any]) -> None:
    """Raises ValueError when a manifest is of a newer version, or says what this client does not know."""
    version = str(manifest["manifest_metadata"]["version"])
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.\d+", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) > _NEWEST:
        raise ValueError(f"it is of version {version}, which this client does not support; generate it anew with a newer svc")
    _look("", manifest, KNOWN_FIELDS)


def _look(place: str, value: Any, known: Any) -> None:
    if isinstance(known, str):
        if str(value) not in known.split():
            raise ValueError(f"it says {value} as {place}, which this client does not support")
    elif isinstance(known, list):
        items: List[Any] = cast(Any, value) if isinstance(value, list) else _NOTHING
        for index, item in enumerate(items):
            _look(f"{place}.{index}", item, known[0])
    elif isinstance(known, dict) and isinstance(value, Mapping):
        _look_at_members(place, cast(Mapping[str, Any], value), cast(Mapping[str, Any], known))
    elif isinstance(known, dict) and isinstance(value, str) and "=" in known:
        _look(place, value, known["="])


def _look_at_members(place: str, value: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    plain = known.get("", "").split()
    for name, member in value.items():
        inner = known.get(name, known.get("*")) if name not in ("", "=", "*") else known.get("*")
        if inner is not None:
            _look(f"{place}.{name}" if place else name, member, inner)
        elif name not in plain and not name.startswith("x-"):
            raise ValueError(f"it has the field {name} in {place or 'the document'}, which this client does not support")


_NOTHING: List[Any] = []
