import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedQuestionsQuerySchema, declarationsQuerySchema } from '@/lib/contract/list-query'
import { InvalidInputError } from '@/server/base/errors'
import { createQueryReader } from './input'

const readQuestions = createQueryReader(askedQuestionsQuerySchema)
const declarations = (query: string) => createQueryReader(declarationsQuerySchema)(new URLSearchParams(query))

test('a query is read with numbers, booleans, lists and text as the schema has them, and with its defaults', () => {
  expect(declarations('school=a&year=2027&year=2028&fresh=1&q=%C3%85sa+%C3%96')).toEqual({
    school: ['a'],
    year: [2027, 2028],
    fresh: true,
    q: 'Åsa Ö',
    offset: 0,
    limit: 50,
  })
  expect(declarations('fresh=false')).toMatchObject({ fresh: false })
})

test.each([
  ['year=soon', 'year'],
  ['year=2027&year=', 'year'],
  ['year=1e3', 'year'],
  ['year=0x7e7', 'year'],
  ['limit=10&limit=20', 'limit'],
  ['fresh=yes', 'fresh'],
  ['status=new&status=open', 'status'],
  ['school=a&school=%00', 'school'],
  ['__proto__=x', '__proto__'],
  ['constructor=x', 'constructor'],
])('%s is refused by name', (query, name) => {
  expect(() => declarations(query)).toThrow(new InvalidInputError(name))
})

test('any query is read, or refused naming one of its parameters', () => {
  const name = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...Object.keys(askedQuestionsQuerySchema.shape)))
  const examples = ['1', 'true', 'new', 'email', '2027-01-15', '-5', 'NaN', 'Infinity']
  const value = fc.oneof(fc.string(), fc.constantFrom(...examples))
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      const search = new URLSearchParams(pairs)
      try {
        return askedQuestionsQuerySchema.safeParse(readQuestions(search)).success
      } catch (error) {
        return error instanceof InvalidInputError && search.has(error.field)
      }
    }),
  )
})
