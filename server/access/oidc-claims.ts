import 'server-only'
import { z } from 'zod'
import type { Role, SchoolScope } from '@/lib/contract/user'
import type { AccessMap } from './access-map'

export type Claims = Readonly<Record<string, unknown>>

/** What the provider says of a person: signed in the id token, and asked for at userinfo (empty when it has none). */
export type ProviderClaims = { idToken: Claims; userinfo: Claims }

/** Which settings decide what is made of claims. */
export type ClaimRules = {
  trustEmail: boolean
  roleMap: AccessMap<Role> | null
  schoolMap: AccessMap<SchoolScope> | null
}

/** Both as one. What is signed wins. */
export function mergedClaims({ idToken, userinfo }: ProviderClaims): Claims {
  return { ...userinfo, ...idToken }
}

export type EmailFound = { ok: true; email: string } | { ok: false; cause: 'email-missing' | 'email-unverified' }

/**
 * The address that the provider vouches for. `email_verified` must be true, unless the organisation itself administers the
 * addresses and the provider says nothing (Entra ID, ADFS); then `preferred_username` or `upn` will do, too. What the provider
 * says is not verified is never taken.
 */
export function emailOf(claims: ProviderClaims, { trustEmail }: Pick<ClaimRules, 'trustEmail'>): EmailFound {
  const merged = mergedClaims(claims)
  const named = trustEmail ? [merged.email, merged.preferred_username, merged.upn] : [merged.email]
  const email = named.find(isEmail)
  if (email === undefined) return { ok: false, cause: 'email-missing' }
  const said = verdictsOn(email, claims)
  const isVouched = !said.includes(false) && (said.includes(true) || trustEmail)
  return isVouched ? { ok: true, email } : { ok: false, cause: 'email-unverified' }
}

function isEmail(value: unknown): value is string {
  return z.email().max(200).safeParse(value).success
}

/** What each source that names the address says of it. Some providers write booleans as texts. */
function verdictsOn(email: string, { idToken, userinfo }: ProviderClaims): boolean[] {
  return [idToken, userinfo]
    .filter((source) => typeof source.email === 'string' && source.email.toLowerCase() === email.toLowerCase())
    .map(({ email_verified: verified }) => verified)
    .filter((verified) => verified !== undefined && verified !== null)
    .map((verified) => verified === true || verified === 'true')
}

/** How somebody new is called: by the claims, or else by what stands before the @. */
export function personName(claims: ProviderClaims, email: string): string {
  const { name, given_name: given, family_name: family } = mergedClaims(claims)
  const whole = [given, family].filter((part) => typeof part === 'string').join(' ')
  const named = [name, whole].find((text) => typeof text === 'string' && text.trim() !== '')
  return (typeof named === 'string' ? named.trim() : (email.split('@')[0] ?? email)).slice(0, 100)
}

/** What the maps give: null where there is no map, or nothing of the person's in it. */
export type Given = { role: Role | null; schools: SchoolScope | null }

/** The highest of several roles; all schools of several entries together. */
export function givenBy(claims: Claims, { roleMap, schoolMap }: Pick<ClaimRules, 'roleMap' | 'schoolMap'>): Given {
  const roles = matching(claims, roleMap)
  const schools = matching(claims, schoolMap)
  return {
    role: RISING.findLast((role) => roles.includes(role)) ?? null,
    schools: schools.length === 0 ? null : schools.includes('all') ? 'all' : [...new Set(schools.flat())],
  }
}

/** Each may do all that the one before it may. */
const RISING: readonly Role[] = ['manager', 'staff', 'admin']

function matching<T>(claims: Claims, map: AccessMap<T> | null): T[] {
  return (map ?? []).filter(({ claim, value }) => valuesOf(claims, claim).includes(value)).map(({ gives }) => gives)
}

/**
 * The values of a claim by its name, or by its path as in `resource_access.intag.roles`: names may have dots, so a whole name goes
 * before its parts.
 */
export function valuesOf(claims: Claims, path: string): string[] {
  const found = valueAt(claims, path)
  return (Array.isArray(found) ? found : [found])
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String)
}

function valueAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return undefined
  if (Object.hasOwn(claims, path)) return Reflect.get(claims, path)
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const found = Object.hasOwn(claims, name) ? valueAt(Reflect.get(claims, name), path.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The claims that the maps ask for. */
export function mappedClaims({ roleMap, schoolMap }: Pick<ClaimRules, 'roleMap' | 'schoolMap'>): string[] {
  return [...new Set([...(roleMap ?? []), ...(schoolMap ?? [])].map(({ claim }) => claim))]
}

/**
 * Whether Entra ID has left groups out because the person is in more than fit (200 in a token), which is not the same as being in
 * none: https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference (groups overage claim).
 */
export function hasGroupOverage(claims: Claims, rules: Pick<ClaimRules, 'roleMap' | 'schoolMap'>): boolean {
  const leftOut: unknown = Reflect.get(claims, '_claim_names')
  const names = typeof leftOut === 'object' && leftOut !== null ? Object.keys(leftOut) : []
  if (claims.hasgroups === true || claims.hasgroups === 'true') names.push('groups')
  return mappedClaims(rules).some((claim) => names.includes(claim) && !Object.hasOwn(claims, claim))
}

/** What a session keeps of the provider's: when it last asked the person who they are, and what it calls its own session. */
export type ToldByProvider = { provedAt: Date; providerSid: string | null }

/** OpenID Connect Core 1.0, section 2, and Back-Channel Logout 1.0, section 2.1; 1970 where it does not say when. */
export function toldBy({ auth_time: seconds, sid }: Claims, now: number): ToldByProvider {
  const provedAt = new Date(typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1000, now) : 0)
  return { provedAt, providerSid: typeof sid === 'string' && sid !== '' ? sid : null }
}
