/** A manifest with as many capabilities as wanted, each of about 1.5 kB, in the forms that authors use. */
export const manifestOf = (count) => HEAD + Array.from({ length: count }, (_, index) => capability(index)).join('')

const HEAD = `# yaml-language-server: $schema=../schemas/manifest.schema.json
manifest_metadata:
  version: "0.24.0"
service_identity:
  id: flights
trust:
  level: anchored
  anchoring: { cadence: hourly }
capabilities:
`

const capability = (index) => `  search_flights_${index}:
    description: Search flights number ${index} between two cities on a day, and return the offers with prices.
    contract_version: 1.${index % 50}.0
    side_effect:
      type: read
    minimum_scope:
      - flights.read
    inputs:
      - name: origin
        type: string
        description: The city or airport where the journey starts.
        semantic_type: airport
        resolution:
          mode: backend_resolved
          resolver_ref: flights.airport_resolver
          on_ambiguous: clarify
          on_unresolved: clarify
      - name: destination
        type: string
        description: The city or airport where the journey ends.
        semantic_type: airport
      - name: day
        type: date
        description: The day of departure.
      - name: cabin
        type: string
        description: The cabin class.
        required: false
        default: economy
        allowed_values: [economy, premium, business, first]
        resolution: { mode: closed_values, on_missing: use_default }
    output:
      type: flight_offers
      fields:
        - offers
        - { name: count, type: integer, description: How many offers there are. }
        - cursor
    cost:
      certainty: fixed
      financial:
        currency: EUR
        amount: 0.05
      compute: { expected_duration: PT2S }
    control_requirements:
      - type: cost_ceiling
    observability:
      logged: true
      retention: P90D
      fields_logged: [origin, destination, day]
    # offers go stale quickly
    response_modes: [unary, streaming]
`
