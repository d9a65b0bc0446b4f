import { ROLES } from '@/lib/contract/limits'
import type { Role, SchoolScope } from '@/lib/contract/user'

export type AccessMap<Access> = readonly { claim: string; value: string; grants: Access }[]

export function parseRoleMap(text: string): AccessMap<Role> {
  return parseEntries(text).map(({ claim, value, targets: [target, ...extraTargets] }, index) => {
    const role = ROLES.find((candidate) => candidate === target)
    if (role === undefined || extraTargets.length > 0)
      throw createEntryError(index, `claim:value=role with one role of ${ROLES.join(', ')}`)
    return { claim, value, grants: role }
  })
}

export function parseSchoolMap(text: string): AccessMap<SchoolScope> {
  return parseEntries(text).map(({ claim, value, targets }, index) => {
    if (targets.includes('all') && targets.length > 1)
      throw createEntryError(index, 'claim:value=all or ids of schools, not both')
    return { claim, value, grants: targets[0] === 'all' ? 'all' : targets }
  })
}

/** Reads `claim:value=target,target; …`, with names quoted as in CSV. Errors are logged, and never quote an entry. */
function parseEntries(text: string): { claim: string; value: string; targets: string[] }[] {
  if (text.split('"').length % 2 === 0) throw new Error('has a quotation mark without its other half')
  const entries = splitUnquoted(text, ';').filter((entry) => entry.trim() !== '')
  if (entries.length === 0) throw new Error('is empty')
  return entries.map((entry, index) => {
    const [condition = '', grants = '', ...extraParts] = splitUnquoted(entry, '=')
    const [claim, value, ...extraNames] = splitUnquoted(condition, ':').map(parseName)
    const targets = splitUnquoted(grants, ',').map(parseName)
    if (!claim || !value || extraParts.length + extraNames.length > 0 || targets.includes(''))
      throw createEntryError(index, 'claim:value=what it gives')
    return { claim, value, targets }
  })
}

/** Splits at each separator that an even number of quotes follows, which is one outside quotes. */
function splitUnquoted(text: string, separator: string): string[] {
  return text.split(new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
}

function createEntryError(index: number, form: string): Error {
  return new Error(`entry ${index + 1} must be ${form}`)
}

/** Returns an empty string for a name that is empty, or should be quoted and is not. */
function parseName(text: string): string {
  const name = text.trim()
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(name) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return /[:=,;"]/.test(name) ? '' : name
}
