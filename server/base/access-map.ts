import 'server-only'
import type { Role, SchoolScope } from '@/lib/contract/user'

export type AccessMap<Access> = readonly { claim: string; value: string; grants: Access }[]

/** Says which entry is wrong and what form it needs; never its content. */
export class AccessMapError extends Error {
  override readonly name = 'AccessMapError'
}

/** From the least to the most. */
export const ROLES_ASCENDING: readonly Role[] = ['manager', 'staff', 'admin']

export function parseRoleMap(text: string): AccessMap<Role> {
  return entriesOf(text).map(({ claim, value, targets: [target, ...more] }, index) => {
    const role = ROLES_ASCENDING.find((one) => one === target)
    if (role === undefined || more.length > 0)
      throw wrongEntry(index, 'claim:value=role with one role of staff, manager, admin')
    return { claim, value, grants: role }
  })
}

export function parseSchoolMap(text: string): AccessMap<SchoolScope> {
  return entriesOf(text).map(({ claim, value, targets }, index) => {
    if (targets.includes('all') && targets.length > 1)
      throw wrongEntry(index, 'claim:value=all or ids of schools, not both')
    return { claim, value, grants: targets[0] === 'all' ? 'all' : targets }
  })
}

/** Entries end with `;`. A name with one of `: = , ; "` is quoted, with `""` for a quote, as in CSV. */
function entriesOf(text: string): { claim: string; value: string; targets: string[] }[] {
  if (text.split('"').length % 2 === 0) throw new AccessMapError('has a quotation mark without its other half')
  const entries = splitAt(';', text).filter((entry) => entry.trim() !== '')
  if (entries.length === 0) throw new AccessMapError('is empty')
  return entries.map((entry, index) => {
    const [names = '', given = '', ...more] = splitAt('=', entry)
    const [claim, value, ...rest] = splitAt(':', names).map(nameIn)
    const targets = splitAt(',', given).map(nameIn)
    if (!claim || !value || more.length + rest.length > 0 || targets.includes(''))
      throw wrongEntry(index, 'claim:value=what it gives')
    return { claim, value, targets }
  })
}

function wrongEntry(index: number, form: string): AccessMapError {
  return new AccessMapError(`entry ${index + 1} must be ${form}`)
}

/** Outside quotes, which is where an even number of them follows. */
function splitAt(mark: string, text: string): string[] {
  return text.split(new RegExp(`${mark}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
}

function nameIn(text: string): string {
  const name = text.trim()
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(name) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return /[:=,;"]/.test(name) ? '' : name
}
