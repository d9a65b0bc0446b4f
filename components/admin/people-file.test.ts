import { expect, test } from 'vitest'
import type { User } from '@/lib/contract/user'
import { MAX_PEOPLE, readPeople, textOfFile } from './people-file'

const schools = [
  { id: 'n', name: 'Norra gymnasiet' },
  { id: 'å', name: 'Åsö, västra' },
  { id: 't1', name: 'Tvilling' },
  { id: 't2', name: 'Tvilling' },
]
const eva = { id: '1', email: 'eva@x.se', name: 'Eva', role: 'staff', schools: ['n'] } as unknown as User
const known = { users: [eva], schools }
const HEADER = 'Namn;E-post;Roll;Skolor'
const read = (text: string) => {
  const file = readPeople(text, known)
  if (!('rows' in file)) throw new Error(file.problem)
  return file.rows
}
const plans = (...lines: string[]) => read([HEADER, ...lines].join('\r\n')).map(({ plan }) => plan)
const planOf = (line: string) => plans(line)[0]
const person = (more = {}) => ({ name: 'Bo', email: 'bo@x.se', role: 'staff', schools: ['n'], ...more })
const wrong = (fault: string, about = '') => ({ kind: 'wrong', fault, about })

test.each([
  ['Swedish, semicolons, with a mark', `\u{feff}${HEADER}\r\nBo;bo@x.se;Antagningspersonal;Norra gymnasiet\r\n`],
  ['English, commas, another order', 'Role,Schools,E-mail address,Name\nadmissions staff,n,bo@x.se,Bo'],
  ['pasted from a spreadsheet', 'NAMN\te-post\tRoll\tSkola\nBo\tbo@x.se\tPersonal\tnorra  gymnasiet\n'],
  [
    'quotes, empty lines, more columns',
    '\n"Namn";"Mejl";"Telefon";"Roll";"Skolor"\n\n;;;;\n"Bo";" bo@x.se ";"1";"staff";"n"',
  ],
])('people are read by their headers: %s', (_, text) => {
  expect(read(text).map(({ plan }) => plan)).toEqual([{ kind: 'new', person: person() }])
})

test('roles and schools by any of their names; several schools, one with a comma, or all', () => {
  expect(planOf('Bo;bo@x.se;Chef;"n, Tvilling2|NORRA GYMNASIET"')).toEqual(wrong('import.schoolUnknown', 'Tvilling2'))
  expect(planOf('Bo;bo@x.se;Chef;t1, norra gymnasiet|t1')).toEqual({
    kind: 'new',
    person: person({ role: 'manager', schools: ['t1', 'n'] }),
  })
  expect(planOf('Bo;bo@x.se;Personal;"Åsö, västra"')).toEqual({ kind: 'new', person: person({ schools: ['å'] }) })
  const admin = person({ role: 'admin', schools: 'all' })
  for (const all of ['alla', 'All schools', 'all'])
    expect(planOf(`Bo;bo@x.se;ADMINISTRATÖR;${all}`)).toEqual({ kind: 'new', person: admin })
})

test.each([
  [';bo@x.se;Chef;n', wrong('nameMissing')],
  [`${'x'.repeat(101)};bo@x.se;Chef;n`, wrong('import.nameLong')],
  ['=HYPERLINK(1);bo@x.se;Chef;n', wrong('import.nameFormula')],
  ['"a;@SUM(1)";bo@x.se;Chef;n', wrong('import.nameFormula')],
  ['Bo;bo@x;Chef;n', wrong('emailWrong')],
  ['Bo;=bo@x.se;Chef;n', wrong('emailWrong')],
  ['Bo;bo@x.se;Kung;n', wrong('import.roleUnknown', 'Kung')],
  ['Bo;bo@x.se;;n', wrong('import.roleUnknown')],
  ['Bo;bo@x.se;Chef;', wrong('schools.none')],
  ['Bo;bo@x.se;Chef;Södra', wrong('import.schoolUnknown', 'Södra')],
  ['Bo;bo@x.se;Chef;tvilling', wrong('import.schoolTwice', 'tvilling')],
  ['Bo;bo@x.se;Chef;aso', wrong('import.schoolUnknown', 'aso')],
  ['Bo;bo@x.se;Chef;n;n', wrong('import.cells')],
  ['Bo;bo@x.se', wrong('import.roleUnknown')],
])('a row that cannot be says why: %s', (line, plan) => {
  expect(planOf(line)).toEqual(plan)
})

test('who is there already is left as they are, whatever the file says', () => {
  expect(planOf('Eva E;EVA@x.se;Personal;n')).toEqual({ kind: 'there' })
  expect(planOf('Eva;eva@x.se;Administratör;alla')).toEqual({ kind: 'differs' })
  expect(planOf('Eva;eva@x.se;Kung;n')).toEqual({ kind: 'differs' })
})

test('an address counts once, in any spelling, and the second names the line of the first', () => {
  const [first, second] = plans('Bo;bo@x.se;Chef;n', 'Bosse;BO@x.se;Chef;n')
  expect(first?.kind).toBe('new')
  expect(second).toEqual(wrong('import.emailTwice', '2'))
})

test('one row that is wrong changes no other', () => {
  expect(plans('Bo;bo@x.se;Chef;n', ';;x;n', 'Ib;ib@x.se;Chef;n').map(({ kind }) => kind)).toEqual([
    'new',
    'wrong',
    'new',
  ])
  expect(plans('Bo "Bosse" B;bo@x.se;Chef;n', 'Åsa 👩‍🏫 Öberg;asa@x.se;Chef;n')).toMatchObject([
    { person: { name: 'Bo "Bosse" B' } },
    { person: { name: 'Åsa 👩‍🏫 Öberg' } },
  ])
})

test('what is no table of people says so at once, however large', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `B${at};b${at}@x.se;Chef;n`).join('\n')
  expect(read(`${HEADER}\n${rows(MAX_PEOPLE)}`)).toHaveLength(MAX_PEOPLE)
  expect(readPeople(`${HEADER}\n${rows(MAX_PEOPLE + 1)}`, known)).toEqual({ problem: 'tooMany' })
  expect(readPeople(`${HEADER}\n${rows(10_000)}`, known)).toEqual({ problem: 'tooMany' })
  expect(readPeople(`${HEADER}\n${'"'.repeat(2_000_000)}`, known)).toEqual({ problem: 'tooMany' })
  for (const empty of ['', ' \n', HEADER]) expect(readPeople(empty, known)).toMatchObject({ problem: 'empty' })
  expect(readPeople('PK\u0003\u0004\0\0xl/workbook.xml', known)).toEqual({ problem: 'unreadable' })
  expect(readPeople(`${HEADER}\n"never closed;x\nBo;bo@x.se;Chef;n`, known)).toEqual({ problem: 'unreadable' })
  expect(readPeople('Namn;Mejl\nBo;bo@x.se', known)).toEqual({ problem: 'columns', missing: ['role', 'schools'] })
  expect(readPeople('{"a": 1}\nx', known)).toMatchObject({ problem: 'columns' })
})

test('a file is UTF-8, what Excel calls Unicode, or what older ones of Windows wrote', () => {
  const text = 'Åsa Öberg'
  expect(textOfFile(new TextEncoder().encode(text))).toBe(text)
  expect(textOfFile(Buffer.from(`\u{feff}${text}`, 'utf16le'))).toBe(text)
  expect(textOfFile(Buffer.from([0xc5, 0x73, 0x61, 0x20, 0x80]))).toBe('Åsa €')
})
