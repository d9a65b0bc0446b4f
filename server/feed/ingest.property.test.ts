import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AskedQuestion } from '@/lib/contract/lead'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf, searchedIn } from '@/lib/leads/testing/lead-table-of'
import { type IngestedList, type LeadsReading, readLeads } from './ingest'
import { readAskedQuestion } from './service-records'

const anyId = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((number) => `q${number}`),
  fc.constantFrom('é', '__proto__', 'a"b\\', '12'),
)

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('Hej, hur är det? 😀', '[{"', '}]', '\\', '"', '\\"', '\u2028', '\ud800', '\ufffd', '\u0000', ''),
)

const anyMoment = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 5 }).map((day) => `2026-11-0${day + 1}T08:00:00.000Z`) },
  { weight: 1, arbitrary: fc.constantFrom('2026-02-30T08:00:00Z', '2026-11-02T09:00:00+01:00', 'i går', null) },
)

const anySender = fc.record({
  mode: fc.constantFrom('email', 'phone', 'pigeon', null),
  phone: fc.option(fc.constantFrom('+46701234567', '070-1', 7)),
  email: fc.option(anyText),
})

/** A question with whatever further fields, sometimes one that must be set aside. */
const anyQuestion = fc
  .record(
    {
      id: anyId,
      highSchoolId: fc.constantFrom('norra', 'södra'),
      highSchoolName: fc.option(anyText),
      createdAt: anyMoment,
      question: anyText,
      sender: anySender,
      extra: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['id', 'highSchoolId', 'createdAt', 'question'] },
  )
  .chain((record) => fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }))
  .map((entries) => Object.fromEntries(entries))

const anyRecord = fc.oneof(
  { weight: 15, arbitrary: anyQuestion },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

const anySpace = fc.constantFrom('', '', ' ', '\n', '\r\n\t ')
const anyJson = fc.jsonValue({ maxDepth: 2 })
const anyFields = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), anyJson, { maxKeys: 2 })

/** Writes records as a body of the service, each in its own way: with white space anywhere, or letters escaped. */
const anyWriting = fc
  .record({
    spaces: fc.array(anySpace, { minLength: 1, maxLength: 7 }),
    escapes: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
    before: anyFields('a', '__proto__', 'total', 'é'),
    after: anyFields('b', 'next'),
    earlier: fc.option(anyJson, { freq: 5, nil: undefined }),
  })
  .map(({ spaces, escapes, mark, before, after, earlier }) => (records: unknown[]): Buffer => {
    const list = { askedQuestions: records }
    const parts = [earlier === undefined ? {} : { askedQuestions: earlier }, before, list, after]
    const fields = parts
      .flatMap(Object.entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    let count = 0
    const space = () => spaces[count++ % spaces.length] ?? ''
    const body = `{${fields.join(',')}}`.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
      if (!token.startsWith('"')) return `${space()}${token}${space()}`
      return escapes ? token.replace(/\\u.{4}|\\.|[a-zåäö]/g, escaped) : token
    })
    return Buffer.from(mark + body)
  })

function escaped(letter: string): string {
  return letter.startsWith('\\') ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

type Outcome = { leads: AskedQuestion[]; unreadable: unknown[] } | 'broken'

/** What a plain JSON.parse of the whole body and the reader of records come to: what the cheap way must equal. */
function plainReading(body: Uint8Array): Outcome {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return 'broken'
  }
  if (typeof json !== 'object' || json === null || !('askedQuestions' in json)) return 'broken'
  if (!Object.hasOwn(json, 'askedQuestions') || !Array.isArray(json.askedQuestions)) return 'broken'
  const leads = new Map<string, AskedQuestion>()
  const unreadable: unknown[] = []
  json.askedQuestions.forEach((record: unknown, index) => {
    const reading = readAskedQuestion(record)
    if (!reading.ok) return unreadable.push({ index, reason: reading.reason })
    const known = leads.get(reading.value.id)
    if (known === undefined) leads.set(reading.value.id, reading.value)
    else if (JSON.stringify(known) !== JSON.stringify(reading.value))
      unreadable.push({ index, reason: 'id: duplicate' })
  })
  return { leads: [...leads.values()].toSorted(canonically), unreadable }
}

function cheapReading(body: Uint8Array, previous?: IngestedList<AskedQuestion>): Promise<LeadsReading<AskedQuestion>> {
  return readLeads('asked-question', body, previous)
}

function outcomeOf(reading: LeadsReading<AskedQuestion>): Outcome {
  if (!reading.ok) return 'broken'
  const { table, unreadable } = reading.list
  const leads = Array.from({ length: table.size }, (_, row) => table.getLead(row))
  return { leads, unreadable: unreadable.map(({ index, reason }) => ({ index, reason })) }
}

function canonically(a: AskedQuestion, b: AskedQuestion): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? -1 : 1)
}

const anyBody = fc.tuple(fc.array(anyRecord, { maxLength: 12 }), anyWriting).map(([records, write]) => write(records))

const PIECES = [',', ']', '}', '{', '[', '"', '\\', ':', 'NaN', '1', ' ', '\\x', ',[', '},', ',{}', '\ufeff']
const anyInserted = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
)
/** One byte is another, some or all from here on are missing, or some come in between. */
const anyChange = fc.oneof(
  fc.nat(255).map((byte) => ({ removed: 1, bytes: Uint8Array.of(byte) })),
  fc.integer({ min: 1, max: 40 }).map((removed) => ({ removed, bytes: new Uint8Array() })),
  fc.constant({ removed: Infinity, bytes: new Uint8Array() }),
  anyInserted.map((bytes) => ({ removed: 0, bytes })),
)
const anyDamage = fc.tuple(fc.nat(), anyChange).map(([where, { removed, bytes }]) => (body: Buffer): Buffer => {
  const at = where % body.length
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + removed)])
})

test('a damaged body is broken exactly when JSON.parse says so or the list is gone; read alone or after a good one', async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, anyDamage, async (body, damaged) => {
      const wrong = damaged(body)
      const expected = plainReading(wrong)
      expect(outcomeOf(await cheapReading(wrong))).toEqual(expected)
      const { list } = goodOf(await cheapReading(body))
      expect(outcomeOf(await cheapReading(wrong, list))).toEqual(expected)
    }),
    { numRuns: 1500 },
  )
}, 90_000)

const anyEdit = fc
  .tuple(fc.nat(), fc.nat(3), fc.array(anyRecord, { maxLength: 3 }), fc.option(fc.nat()))
  .map(([where, removed, added, target]) => (records: unknown[]): unknown[] => {
    const at = where % (records.length + 1)
    const rest = records.toSpliced(at, removed, ...added)
    // Without a target the records that were cut out are gone; otherwise they move.
    return target === null ? rest : rest.toSpliced(target % (rest.length + 1), 0, ...records.slice(at, at + removed))
  })

test('a list is what JSON.parse makes of it, also read along its predecessor, and exactly the changed leads are reported', async () => {
  const anyStep = fc.tuple(anyEdit, fc.option(anyWriting, { freq: 6 }))
  const anyStory = fc.tuple(
    fc.array(anyRecord, { minLength: 1, maxLength: 12 }),
    anyWriting,
    fc.array(anyStep, { minLength: 1, maxLength: 6 }),
  )
  await fc.assert(
    fc.asyncProperty(anyStory, async ([firstRecords, firstWriting, steps]) => {
      let [records, write] = [firstRecords as unknown[], firstWriting]
      let reading = goodOf(await cheapReading(write(records)))
      expect(outcomeOf(reading)).toEqual(plainReading(write(records)))
      for (const [edit, otherWriting] of steps) {
        records = edit(records)
        write = otherWriting ?? write
        const body = write(records)
        const before = leadsById(reading)
        reading = goodOf(await cheapReading(body, reading.list))
        const plain = plainReading(body)
        expect(outcomeOf(reading)).toEqual(plain)
        const plainTable = leadTableOf('asked-question', plain === 'broken' ? [] : plain.leads)
        expect(columnsOf(reading.list.table)).toEqual(columnsOf(plainTable))
        const after = leadsById(reading)
        const ids = [...new Set([...before.keys(), ...after.keys()])]
        expect(reading.changedIds.toSorted()).toEqual(ids.filter((id) => before.get(id) !== after.get(id)).toSorted())
        expect(reading.isChanged || reading.changedIds.length === 0).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
}, 90_000)

test('the columns of declarations, too, are those of a plainly built table', async () => {
  const kind = 'declaration-of-interest'
  const spelling = fc.constantFrom(...'aåÅÄöéüßøæ½µ´¨ \t\n\u00a0\u00ad-–\u030a\u0301😀ﬁA1@.+;"')
  const name = fc.option(fc.oneof(fc.string({ unit: spelling, maxLength: 8 }), fc.string({ unit: 'binary' })))
  const phone = fc.option(fc.constantFrom('070-123 45 67', '+46701234567', '0046 8 123', 'ring mig', ''))
  const highSchoolEnrollmentYear = fc.option(fc.constantFrom(2026, 2027, 0, 1e12, -1e12))
  const anyDeclaration = fc.record({
    id: fc.constantFrom('a', 'b', 'B', 'c', 'å', '__proto__'),
    highSchoolId: fc.constantFrom('norra', 'södra', 'västra'),
    createdAt: fc.constantFrom('2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000+01:00', '2026-11-21T08:00:00Z'),
    user: fc.record({ firstName: name, lastName: name, email: name, phone, highSchoolEnrollmentYear }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyDeclaration, { maxLength: 12 }), async (leads) => {
      const body = Buffer.from(JSON.stringify({ declarationsOfInterest: leads }))
      const reading = await readLeads(kind, body)
      expect(reading.ok && columnsOf(reading.list.table)).toEqual(columnsOf(leadTableOf(kind, leads)))
    }),
    { numRuns: 500 },
  )
})

type GoodReading = Extract<LeadsReading<AskedQuestion>, { ok: true }>

function goodOf(reading: LeadsReading<AskedQuestion>): GoodReading {
  if (!reading.ok) throw new Error(reading.detail)
  return reading
}

function leadsById({ list: { table } }: GoodReading): Map<string, string> {
  return new Map(table.id.map((id) => [id, JSON.stringify(table.getLead(table.findRow(id)))]))
}

/** All columns, with the texts in place of their numbers: numbering may differ. */
function columnsOf({ schoolIndex, schoolIds, modeIndex, modes, textIndex, texts, findRow, ...columns }: LeadTable) {
  const rows = columns.id.map((id, row) => [
    id,
    schoolIds[schoolIndex[row] ?? -1],
    modes[modeIndex[row] ?? -1],
    findRow(id),
  ])
  return { ...columns, getLead: null, rows, searched: searchedIn({ textIndex, texts }), absent: findRow('absent') }
}
