import { parse } from 'csv-parse/browser/esm/sync'
import type { NewUser, Role, SchoolScope, User } from '@/lib/contract/user'
import { neutralizeFormulas } from '@/lib/export/csv'
import { groupBy } from '@/lib/group-by'
import { foldAccents, foldText } from '@/lib/leads/comparable-text'
import { changesOf, errorKeysOf, ROLES } from './user-change'

export const MAX_PEOPLE = 500
const MAX_CHARACTERS = 1_000_000
/** No file that is longer has fewer characters than that, in any encoding. */
export const MAX_FILE_BYTES = 4 * MAX_CHARACTERS
const MAX_NAME = 100
const MAX_EMAIL = 200

export const COLUMNS = ['name', 'email', 'role', 'schools'] as const
type Column = (typeof COLUMNS)[number]

/** In Swedish or English, without capitals, accents and anything but letters. */
const HEADERS: Readonly<Record<Column, RegExp>> = {
  name: /^nam[en]$/,
  email: /^(?:e?post|e?mail|mejl)(?:adress|address)?$/,
  role: /^rol[el]$/,
  schools: /^(?:skol(?:a|or)|schools?)$/,
}
const ROLE_WORDS: Readonly<Record<Role, RegExp>> = {
  staff: /^(?:(?:antagnings)?personal|(?:admissions)?staff)$/,
  manager: /^(?:chef|manager)$/,
  admin: /^admin(?:istrator)?$/,
}
const ALL_SCHOOLS = /^all(?:a|a skolor| schools)?$/

type Fault =
  | 'nameMissing'
  | 'emailWrong'
  | 'schools.none'
  | `import.${'nameLong' | 'nameFormula' | 'emailTwice' | 'roleUnknown' | 'schoolUnknown' | 'schoolTwice' | 'cells'}`

/** `differs`: is there already, with another role or other schools, which stay. `about`: what is wrong, as written. */
type Plan =
  | { kind: 'new'; person: NewUser }
  | { kind: 'there' | 'differs' }
  | { kind: 'wrong'; fault: Fault; about: string }
export type PlannedRow = { line: number; name: string; email: string; plan: Plan }
export type PeopleTable =
  | { rows: PlannedRow[] }
  | { problem: 'empty' | 'unreadable' | 'tooMany' }
  | { problem: 'columns'; missing: Column[] }

type Known = { users: readonly User[]; schools: readonly { id: string; name: string }[] }

/** What Excel saves as CSV: UTF-8, by its mark UTF-16, else Windows-1252. */
export function textOfFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** What would happen to each row of a table with headers, from a file or pasted from a spreadsheet. */
export function readPeople(text: string, known: Known): PeopleTable {
  if (text.length > MAX_CHARACTERS) return { problem: 'tooMany' }
  const records = recordsOf(text)
  if (records === null) return { problem: 'unreadable' }
  const [header, ...rows] = records
  if (header === undefined) return { problem: 'empty' }
  const names = header.cells.map(lettersOf)
  const at = (column: Column) => names.findIndex((name) => HEADERS[column].test(name))
  const missing = COLUMNS.filter((column) => at(column) === -1)
  if (missing.length > 0) return { problem: 'columns', missing }
  if (rows.length === 0) return { problem: 'empty' }
  if (rows.length > MAX_PEOPLE) return { problem: 'tooMany' }
  const plan = createPlanner(known)
  const planned = rows.map(({ line, cells }): PlannedRow => {
    const [name = '', email = '', role = '', schools = ''] = COLUMNS.map((column) => cells[at(column)] ?? '')
    const isTooLong = cells.length > names.length
    const about = isTooLong ? wrong('import.cells') : plan({ line, name, email, role, schools })
    return { line, name, email, plan: about }
  })
  return { rows: planned }
}

function recordsOf(text: string) {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  const [delimiter = ';'] = [';', '\t', ','].toSorted((a, b) => count(b) - count(a))
  const lenient = { relax_column_count: true, relax_quotes: true, skip_records_with_empty_values: true }
  try {
    if (text.includes('\0')) return null
    // One more than may be, after the header.
    const records: unknown[] = parse(text, { bom: true, delimiter, info: true, to: MAX_PEOPLE + 2, ...lenient })
    return (records as { record: string[]; info: { lines: number } }[]).map(({ record, info: { lines } }) => {
      return { line: lines, cells: record.map((cell) => cell.trim()) }
    })
  } catch {
    return null
  }
}

const lettersOf = (text: string) => foldText(text).replaceAll(/[^a-z]/g, '')
const wrong = (fault: Fault, about = ''): Plan => ({ kind: 'wrong', fault, about })

type Written = Record<Column, string> & { line: number }

function createPlanner({ users, schools }: Known) {
  const byEmail = new Map(users.map((user) => [user.email.toLowerCase(), user]))
  const lineOf = new Map<string, number>()
  const scopeOf = schoolReader(schools)
  return ({ line, name, email, ...written }: Written): Plan => {
    const address = email.toLowerCase()
    const before = lineOf.get(address)
    if (before !== undefined) return wrong('import.emailTwice', String(before))
    if (address !== '') lineOf.set(address, line)
    const role = ROLES.find((each) => ROLE_WORDS[each].test(lettersOf(written.role)))
    const scope = scopeOf(written.schools)
    const user = byEmail.get(address)
    if (user) {
      const isSame = role && 'schools' in scope && Object.keys(changesOf(user, { role, ...scope })).length === 0
      return { kind: isSame ? 'there' : 'differs' }
    }
    const faults = errorKeysOf({ name, email, schools: 'schools' in scope ? scope.schools : 'all' })
    if (faults.name) return wrong(faults.name)
    if (name.length > MAX_NAME) return wrong('import.nameLong')
    if (neutralizeFormulas(name) !== name) return wrong('import.nameFormula')
    if (faults.email || email.length > MAX_EMAIL) return wrong('emailWrong')
    if (role === undefined) return wrong('import.roleUnknown', written.role)
    if (!('schools' in scope)) return scope
    return faults.schools ? wrong(faults.schools) : { kind: 'new', person: { name, email, role, ...scope } }
  }
}

/** By id or `all`, as `OIDC_SCHOOL_MAP`, or by name; a name may hold what else separates them. */
function schoolReader(schools: Known['schools']): (written: string) => { schools: SchoolScope } | Plan {
  const byName = groupBy(schools, ({ name }) => foldAccents(name))
  const byId = new Map(schools.map((school) => [school.id, [school]]))
  const find = (text: string) => byId.get(text) ?? byName.get(foldAccents(text)) ?? []
  return (written) => {
    const parts = find(written).length > 0 ? [written] : written.split(/[;,|\n]/)
    const named = parts.map((part) => part.trim()).filter(Boolean)
    if (named.some((name) => ALL_SCHOOLS.test(foldText(name)))) return { schools: 'all' }
    const unclear = named.find((name) => find(name).length !== 1)
    if (unclear === undefined) return { schools: [...new Set(named.flatMap(find).map(({ id }) => id))] }
    return wrong(find(unclear).length === 0 ? 'import.schoolUnknown' : 'import.schoolTwice', unclear)
  }
}
