/** Lists the error and its causes, the root last, five at most. */
export function listCauses(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 5; next = next.cause) chain.push(next)
  return chain
}

export function readErrorCode(error: unknown): string {
  return error instanceof Error ? readTextProperty(error, 'code') : ''
}

export function readTextProperty(value: unknown, name: string): string {
  const property: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
  return typeof property === 'string' ? property : ''
}

const UNKNOWN_AUTHORITY = 'its certificate is of an authority that is not known here: name it in NODE_EXTRA_CA_CERTS'

/** Node's codes for a certificate of another server that it refuses, each with the remedy. */
export const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host: is the address right?',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: is the clock of this machine right?',
  CERT_HAS_EXPIRED: 'its certificate has expired: it must be renewed there',
}
