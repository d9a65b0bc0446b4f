import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { askedQuestionSchema, declarationOfInterestSchema, highSchoolSchema } from '@/lib/contract/lead'
import { readAskedQuestion, readDeclaration, readHighSchool, readHighSchools } from './service-records'

const question = {
  id: 'q1',
  highSchoolId: 'norra',
  highSchoolName: 'Norra Gymnasiet',
  createdAt: '2026-11-20T08:00:00.000Z',
  question: 'Hej',
  sender: { mode: 'email', phone: null, email: 'a@example.se' },
}
const user = {
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'a@example.se',
  phone: '+467000000000',
  highSchoolEnrollmentYear: 2027,
}
const declaration = { id: 'd1', highSchoolId: 'norra', createdAt: '2026-11-20T08:00:00.000Z', user }

test.each([
  [[question], 'record: expected object'],
  [{ ...question, id: 'x'.repeat(501) }, 'id: expected 1 to 500 characters'],
  [{ ...question, question: 'x'.repeat(100_001) }, 'question: expected at most 100000 characters'],
  [{ ...question, highSchoolId: '' }, 'highSchoolId: expected non-empty string'],
  [{ ...question, sender: { mode: 'email', email: { secret: 'a@example.se' } } }, 'sender.email: expected string'],
  [{ ...question, createdAt: '2026-11-20' }, 'createdAt: expected ISO 8601 moment'],
  [JSON.parse('{"__proto__": {"id": "q1", "highSchoolId": "norra"}}'), 'id: expected string'],
])('a question that cannot be read says where and what was expected, never what it holds (%#)', (record, reason) => {
  expect(readAskedQuestion(record)).toEqual({ ok: false, reason })
})

/** A record with a further field, and some of whose fields are missing or something else. */
function spoilt(record: object): fc.Arbitrary<object> {
  const fields = Object.entries({ ...record, further: 1 }).map(([name, value]): [string, fc.Arbitrary<unknown>] => {
    const inner = typeof value === 'object' && value !== null ? spoilt(value) : fc.constant(value)
    const other = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom(undefined, null, '', -0, 2027.5, '2026', 'x'.repeat(501)),
    )
    return [name, fc.oneof({ weight: 9, arbitrary: inner }, { weight: 1, arbitrary: other })]
  })
  return fc.record(Object.fromEntries(fields))
}

/** The contract's schema, with the wire's tolerance put before it: what the hand-written readers must agree with. */
const idSchema = z.string().min(1).max(500)
const wireFields = { id: idSchema, highSchoolId: z.string().min(1), createdAt: z.iso.datetime({ offset: true }) }
const orNull = <T>(form: z.ZodType<T>) => form.nullish().transform((value) => value ?? null)
const text = orNull(z.string())
const wirePerson = { firstName: text, lastName: text, email: text, phone: text }
const wireUser = { ...wirePerson, highSchoolEnrollmentYear: orNull(z.int()) }
const wireDeclaration = z.object({ ...wireFields, user: z.object(wireUser) }).pipe(declarationOfInterestSchema)
const deduced = (phone: string | null) => (phone === null ? 'unknown' : 'phone')
const wireSender = z.object({ mode: text, phone: text, email: text }).transform(({ mode, phone, email }) => {
  return { mode: mode ?? (email === null ? deduced(phone) : 'email'), phone, email }
})
const wireQuestion = z
  .object({ ...wireFields, highSchoolName: text, question: z.string(), sender: wireSender })
  .transform((record) => ({ ...record, highSchoolName: record.highSchoolName ?? record.highSchoolId }))
  .pipe(askedQuestionSchema)
const wireHighSchool = z
  .object({ id: idSchema, name: text })
  .transform(({ id, name }) => ({ id, name: name ?? id }))
  .pipe(highSchoolSchema)

test.each([
  ['questions', question, readAskedQuestion, wireQuestion],
  ['declarations', declaration, readDeclaration, wireDeclaration],
  ['high schools', { id: 'norra', name: 'Norra' }, readHighSchool, wireHighSchool],
])('%s are read exactly as the contract’s schema reads them', (_, record, read, schema) => {
  const anyJson = fc.oneof({ weight: 9, arbitrary: spoilt(record) }, { weight: 1, arbitrary: fc.jsonValue() })
  fc.assert(
    fc.property(anyJson, (json) => {
      const { success, data } = schema.safeParse(json)
      const reading = read(json)
      expect([reading.ok, reading.ok ? reading.value : undefined]).toEqual([success, data])
    }),
    { numRuns: 3000 },
  )
})

test('the list of schools has each school once, in the order sent, and sets aside what is no school', () => {
  const norra = { id: 'norra', name: 'Norra' }
  const highSchools = [norra, { id: 'södra' }, null, norra, { id: 'norra', name: 'Other' }]
  expect(readHighSchools({ highSchools, next: null })).toEqual({
    ok: true,
    highSchools: [norra, { id: 'södra', name: 'södra' }],
    unreadable: [
      { index: 2, id: null, reason: 'record: expected object' },
      { index: 4, id: 'norra', reason: 'id: duplicate' },
    ],
  })
  expect(readHighSchools([])).toEqual({ ok: false, detail: 'body: expected object' })
  expect(readHighSchools({ highSchools: { 0: {} } })).toEqual({ ok: false, detail: 'highSchools: expected array' })
})
