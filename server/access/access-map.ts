import 'server-only'
import type { Role, SchoolScope } from '@/lib/contract/user'

/** What people are given who have a value in a claim, as `OIDC_ROLE_MAP` and `OIDC_SCHOOL_MAP` say. */
export type AccessMap<Given> = readonly { claim: string; value: string; gives: Given }[]

/** Says which entry is wrong and how it should be; never what it says. */
export class AccessMapError extends Error {
  override readonly name = 'AccessMapError'
}

/** `groups:Intag-Admin=admin; roles:rektor=manager`. Throws `AccessMapError`. */
export function parseRoleMap(text: string): AccessMap<Role> {
  return entriesOf(text).map(({ claim, value, targets: [role, ...more] }, index) => {
    if (!isRole(role) || more.length > 0)
      throw wrongEntry(index, 'claim:value=role with one role of staff, manager, admin')
    return { claim, value, gives: role }
  })
}

/** `groups:Skola-Norra=id-1,id-2; groups:Intag-Alla=all`. Throws `AccessMapError`. */
export function parseSchoolMap(text: string): AccessMap<SchoolScope> {
  return entriesOf(text).map(({ claim, value, targets }, index) => {
    if (targets.includes('all') && targets.length > 1)
      throw wrongEntry(index, 'claim:value=all or ids of schools, not both')
    return { claim, value, gives: targets[0] === 'all' ? 'all' : targets }
  })
}

const ROLES: readonly string[] = ['staff', 'manager', 'admin'] satisfies Role[]

function isRole(text: string | undefined): text is Role {
  return text !== undefined && ROLES.includes(text)
}

type Entry = { claim: string; value: string; targets: string[] }

/** Entries end with `;`. What holds one of `: = , ; "` stands in double quotes, a quote itself twice, as in CSV. */
function entriesOf(text: string): Entry[] {
  const entries = splitAt(';', tokensOf(text)).filter((tokens) => tokens.length > 0)
  if (entries.length === 0) throw new AccessMapError('is empty')
  return entries.map((tokens, index) => {
    const [claim, colon, value, equals, ...rest] = tokens
    const targets = splitAt(',', rest).map((target) => (target.length === 1 ? target[0] : undefined))
    const isWhole = colon?.mark === ':' && equals?.mark === '=' && targets.every((target) => target?.text)
    if (!isWhole || !claim?.text || !value?.text) throw wrongEntry(index, 'claim:value=what it gives')
    return { claim: claim.text, value: value.text, targets: targets.map((target) => target?.text ?? '') }
  })
}

function wrongEntry(index: number, form: string): AccessMapError {
  return new AccessMapError(`entry ${index + 1} must be ${form}`)
}

/** A text, quoted or bare, or one of the marks between texts. */
type Token = { text: string; mark?: undefined } | { mark: string; text?: undefined }

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const [whole, quoted, bare] of text.matchAll(/"((?:[^"]|"")*)"|([^:=,;"]+)|[:=,;"]/g)) {
    if (quoted !== undefined) tokens.push({ text: quoted.replaceAll('""', '"') })
    else if (bare === undefined) tokens.push({ mark: whole })
    else if (bare.trim() !== '') tokens.push({ text: bare.trim() })
  }
  return tokens
}

function splitAt(mark: string, tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.mark === mark) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
