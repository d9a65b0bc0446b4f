import { z } from 'zod'
import type { Role, SchoolScope } from '@/lib/contract/user'
import type { AccessMap } from '@/server/base/access-map'

export type Claims = Readonly<Record<string, unknown>>

export type ProviderClaims = { idToken: Claims; userinfo: Claims }

type AccessMaps = { roleMap: AccessMap<Role> | null; schoolMap: AccessMap<SchoolScope> | null }

/** A claim of the signed token wins over one of userinfo, unless it is null or empty, as for an unknown value. */
export function mergeClaims({ idToken, userinfo }: ProviderClaims): Claims {
  const knownClaims = Object.entries(idToken).filter(([, value]) => value !== null && value !== '')
  return { ...userinfo, ...Object.fromEntries(knownClaims) }
}

/** Returns the verified e-mail, or null. `trustEmail` is for providers that do not verify any (Entra ID, AD FS). */
export function findEmail(claims: ProviderClaims, { trustEmail }: { trustEmail: boolean }): string | null {
  const { email: claimedEmail, preferred_username, upn } = mergeClaims(claims)
  const candidates = trustEmail ? [claimedEmail, preferred_username, upn] : [claimedEmail]
  const email = candidates.find((value): value is string => z.email().max(200).safeParse(value).success)
  if (email === undefined) return null
  // No source that has the address may call it unverified. Some providers write booleans as strings.
  const verdicts = [claims.idToken, claims.userinfo]
    .filter((source) => isText(source.email) && source.email.toLowerCase() === email.toLowerCase())
    .map((source) => source.email_verified ?? '')
    .filter((verdict) => verdict !== '')
  if (verdicts.length === 0) return trustEmail ? email : null
  return verdicts.every((verdict) => verdict === true || verdict === 'true') ? email : null
}

/** An Entra ID user also has an `oid`: a new app registration changes each `sub` (*ID token claims reference*). */
export function readIdentity({ idToken: { iss, sub, oid, tid } }: ProviderClaims) {
  return { issuer: String(iss), subject: String(sub), oid: isText(tid) && isText(oid) ? oid : null }
}

export function readName(claims: ProviderClaims, email: string) {
  const { name, given_name: given, family_name: family } = mergeClaims(claims)
  const toText = (part: unknown) => (typeof part === 'string' ? part.trim() : '')
  const fullName = toText(name) || `${toText(given)} ${toText(family)}`.trim() || email.replace(/@.*/, '')
  return fullName.slice(0, 100)
}

const ROLES_HIGHEST_FIRST: readonly Role[] = ['admin', 'staff', 'manager']

/** Of several roles the highest counts, and of schools all that are granted; null if the maps grant none. */
export function readAccess(claims: Claims, { roleMap, schoolMap }: AccessMaps) {
  const roles = findGrants(claims, roleMap)
  const scopes = findGrants(claims, schoolMap)
  const schools: SchoolScope = scopes.includes('all') ? 'all' : [...new Set(scopes.flat())]
  return {
    role: ROLES_HIGHEST_FIRST.find((role) => roles.includes(role)) ?? null,
    schools: scopes.length === 0 ? null : schools,
  }
}

function findGrants<T>(claims: Claims, map: AccessMap<T> | null): T[] {
  return (map ?? [])
    .filter(({ claim, value }) => readClaimValues(claims, claim).includes(value))
    .map(({ grants }) => grants)
}

/** Returns a claim's values as text, found by its whole name or else by a path such as `resource_access.intag.roles`. */
export function readClaimValues(claims: Claims, path: string): string[] {
  const claim = readClaim(claims, path)
  return (Array.isArray(claim) ? claim : [claim])
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String)
}

function readClaim(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return undefined
  if (Object.hasOwn(claims, path)) return Reflect.get(claims, path)
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const claim = Object.hasOwn(claims, name) ? readClaim(Reflect.get(claims, name), path.slice(dot + 1)) : undefined
    if (claim !== undefined) return claim
  }
  return undefined
}

/** Tells whether a map needs a claim that Entra ID omitted, as above 200 groups (*ID token claims reference*). */
export function hasGroupOverage(claims: Claims, { roleMap, schoolMap }: AccessMaps) {
  const claimNames: unknown = Reflect.get(claims, '_claim_names')
  const omittedNames = typeof claimNames === 'object' && claimNames !== null ? Object.keys(claimNames) : []
  const mappings = [...(roleMap ?? []), ...(schoolMap ?? [])]
  return mappings.some(({ claim }) => omittedNames.includes(claim) && !Object.hasOwn(claims, claim))
}

export type ProviderProof = ReturnType<typeof readProof>

/** Reads when the user last proved who they are (1970 without `auth_time`: never recent), and the session id. */
export function readProof({ auth_time: authTime, sid }: Claims, nowMs: number) {
  const provedAt = new Date(typeof authTime === 'number' && authTime > 0 ? Math.min(authTime * 1000, nowMs) : 0)
  return { provedAt, providerSid: isText(sid) ? sid : null }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
