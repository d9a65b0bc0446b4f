import 'server-only'
import { ROLES } from '@/lib/contract/roles'
import type { Role, SchoolScope } from '@/lib/contract/user'

export type AccessMap<Access> = readonly { claim: string; value: string; grants: Access }[]

export function parseRoleMap(text: string): AccessMap<Role> {
  return parseEntries(text).map(({ claim, value, targets: [target, ...more] }, index) => {
    const role = ROLES.find((one) => one === target)
    if (role === undefined || more.length > 0)
      throw wrongEntry(index, `claim:value=role with one role of ${ROLES.join(', ')}`)
    return { claim, value, grants: role }
  })
}

export function parseSchoolMap(text: string): AccessMap<SchoolScope> {
  return parseEntries(text).map(({ claim, value, targets }, index) => {
    if (targets.includes('all') && targets.length > 1)
      throw wrongEntry(index, 'claim:value=all or ids of schools, not both')
    return { claim, value, grants: targets[0] === 'all' ? 'all' : targets }
  })
}

/**
 * Entries are separated by `;`. A name with one of `: = , ; "` is quoted, and `""` stands for a quote, as in CSV. An error
 * names the number of the entry and the form it needs, never its content.
 */
function parseEntries(text: string): { claim: string; value: string; targets: string[] }[] {
  if (text.split('"').length % 2 === 0) throw new Error('has a quotation mark without its other half')
  // A mark splits only outside quotes: there an even number of quotes follows it.
  const splitAt = (mark: string, whole: string) => whole.split(new RegExp(`${mark}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
  const entries = splitAt(';', text).filter((entry) => entry.trim() !== '')
  if (entries.length === 0) throw new Error('is empty')
  return entries.map((entry, index) => {
    const [names = '', given = '', ...more] = splitAt('=', entry)
    const [claim, value, ...rest] = splitAt(':', names).map(parseName)
    const targets = splitAt(',', given).map(parseName)
    if (!claim || !value || more.length + rest.length > 0 || targets.includes(''))
      throw wrongEntry(index, 'claim:value=what it gives')
    return { claim, value, targets }
  })
}

function wrongEntry(index: number, form: string): Error {
  return new Error(`entry ${index + 1} must be ${form}`)
}

function parseName(text: string): string {
  const name = text.trim()
  const [, quoted] = /^"((?:[^"]|"")*)"$/.exec(name) ?? []
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return /[:=,;"]/.test(name) ? '' : name
}
