import 'server-only'
import fc from 'fast-check'

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
export const anyQuestion = fc
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

export const anyRecord = fc.oneof(
  { weight: 15, arbitrary: anyQuestion },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

const anySpace = fc.constantFrom('', '', ' ', '\n', '\r\n\t ')

/** The same value written in many ways: white space anywhere, any letter escaped. */
function written(value: unknown, space: () => string, escapes: boolean): string {
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => written(item, space, escapes) + space()).join(`,${space()}`)}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, item]) =>
        `${written(name, space, escapes)}${space()}:${space()}${written(item, space, escapes)}${space()}`,
    )
    return `{${space()}${fields.join(`,${space()}`)}}`
  }
  const text = JSON.stringify(value)
  return typeof value === 'string' && escapes ? text.replace(/[a-zåäö]/g, escaped) : text
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes records as a body of the service, in ways that change from body to body. */
export const anyWriting = fc
  .record({
    spaces: fc.array(anySpace, { minLength: 1, maxLength: 7 }),
    escapes: fc.boolean(),
    mark: fc.boolean(),
    before: fc.dictionary(fc.constantFrom('a', '__proto__', 'total', 'é'), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 2,
    }),
    after: fc.dictionary(fc.constantFrom('b', 'next'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
    earlier: fc.option(fc.jsonValue({ maxDepth: 2 }), { freq: 5, nil: undefined }),
  })
  .map(({ spaces, escapes, mark, before, after, earlier }) => (records: unknown[]): Buffer => {
    let count = 0
    const space = () => spaces[count++ % spaces.length] ?? ''
    const write = (value: unknown) => written(value, space, escapes)
    const fields: [string, unknown][] = [
      ...Object.entries(before),
      ['askedQuestions', records],
      ...Object.entries(after),
    ]
    if (earlier !== undefined) fields.unshift(['askedQuestions', earlier])
    const body = fields.map(([name, value]) => `${write(name)}${space()}:${space()}${write(value)}${space()}`)
    return Buffer.from(`${mark ? '\ufeff' : ''}${space()}{${space()}${body.join(`,${space()}`)}}${space()}`)
  })
