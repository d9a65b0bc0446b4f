import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchedIn } from '@/lib/leads/testing/lead-table-of'
import { anyQuestion, anyRecord, anyWriting } from '@/server/feed/testing/arbitrary-bodies'
import { cheapReading, outcomeOf, plainReading } from '@/server/feed/testing/reference-reading'

/** For all the runs of one test, on a busy machine. */
const TIMEOUT_MS = 90_000

const anyBody = fc.tuple(fc.array(anyRecord, { maxLength: 12 }), anyWriting).map(([records, write]) => write(records))

test(
  'reads the same leads, in the same order, and sets the same aside as JSON.parse of the whole',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const expected = plainReading(body)
        expect(expected).not.toBe('broken')
        expect(outcomeOf(await cheapReading(body))).toEqual(expected)
      }),
      { numRuns: 600 },
    )
  },
  TIMEOUT_MS,
)

const PIECES = [',', ']', '}', '{', '[', '"', '\\', ':', 'NaN', '1', ' ', '\\x', ',[', '},', ',{}', '\ufeff']
const anyInserted = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
)
/** Bytes put in the place of so many: one is another, some are missing, all from here on are, or some come in between. */
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

test(
  'a damaged body is broken exactly when JSON.parse says so or the list is gone; read alone or after a good one',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, anyDamage, async (body, damaged) => {
        const wrong = damaged(body)
        const expected = plainReading(wrong)
        expect(outcomeOf(await cheapReading(wrong))).toEqual(expected)
        const good = await cheapReading(body)
        if (!good.ok) throw new Error(good.detail)
        expect(outcomeOf(await cheapReading(wrong, good.list))).toEqual(expected)
      }),
      { numRuns: 1500 },
    )
  },
  TIMEOUT_MS,
)

type Change = (records: unknown[]) => unknown[]

const anyEdit: fc.Arbitrary<Change> = fc.oneof(
  fc.array(anyQuestion, { maxLength: 3 }).map((added): Change => {
    return (records) => [...added, ...records]
  }),
  fc.tuple(fc.nat(), fc.nat(3)).map(([at, count]): Change => {
    return (records) => records.toSpliced(at % (records.length + 1), count)
  }),
  fc.tuple(fc.nat(), fc.nat(1), anyRecord).map(([at, replaced, record]): Change => {
    return (records) => records.toSpliced(at % (records.length + 1), replaced, record)
  }),
  fc.tuple(fc.nat(), fc.nat()).map(([from, to]): Change => {
    return (records) => {
      const rest = records.toSpliced(from % (records.length + 1), 3)
      const moved = records.slice(from % (records.length + 1)).slice(0, 3)
      return rest.toSpliced(to % (rest.length + 1), 0, ...moved)
    }
  }),
)

test(
  'a list read along its predecessor is the list read from scratch, and the changes reported lead from one to the other',
  async () => {
    const anyStory = fc.tuple(
      fc.array(anyRecord, { minLength: 1, maxLength: 12 }),
      anyWriting,
      fc.array(fc.tuple(anyEdit, fc.option(anyWriting, { freq: 6 })), { minLength: 1, maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(anyStory, async ([first, firstWriting, changes]) => {
        let records: unknown[] = first
        let write = firstWriting
        let reading = await cheapReading(write(records))
        for (const [change, otherWriting] of changes) {
          if (!reading.ok) throw new Error(reading.detail)
          records = change(records)
          write = otherWriting ?? write
          const body = write(records)
          const before = leadsById(reading)
          const next = await cheapReading(body, reading.list)
          expect(outcomeOf(next)).toEqual(plainReading(body))
          expect(await columnsOf(next)).toEqual(await columnsOf(await cheapReading(body)))
          expectChanges(next, before, leadsById(next))
          reading = next
        }
      }),
      { numRuns: 500 },
    )
  },
  TIMEOUT_MS,
)

type Reading = Awaited<ReturnType<typeof cheapReading>>

function leadsById(reading: Reading): Map<string, string> {
  if (!reading.ok) throw new Error(reading.detail)
  const { table } = reading.list
  return new Map(table.id.map((id) => [id, JSON.stringify(table.lead(table.rowOf(id)))]))
}

function expectChanges(reading: Reading, before: Map<string, string>, after: Map<string, string>): void {
  if (!reading.ok) throw new Error(reading.detail)
  const ids = (keys: Iterable<string>, wanted: (id: string) => boolean) => [...keys].filter(wanted).toSorted()
  expect(reading.added.toSorted()).toEqual(ids(after.keys(), (id) => !before.has(id)))
  expect(reading.removed.toSorted()).toEqual(ids(before.keys(), (id) => !after.has(id)))
  const changed = ids(after.keys(), (id) => before.has(id) && before.get(id) !== after.get(id))
  expect(reading.changedIds.toSorted()).toEqual(changed)
  const isOther = reading.added.length + reading.removed.length + changed.length > 0
  expect(reading.changed || !isOther).toBe(true)
}

async function columnsOf(reading: Reading): Promise<unknown> {
  if (!reading.ok) return 'broken'
  const { createdAt, id, school, schoolIds, year, mode, modes, text, texts, sortName, size } = reading.list.table
  const rows = id.map((leadId, row) => [leadId, schoolIds[school[row] ?? -1], modes[mode[row] ?? -1]])
  const searched = searchedIn({ text, texts })
  return { size, createdAt, year, searched, sortName, rows, schools: schoolIds.toSorted(), modes: modes.toSorted() }
}
