import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedQuestionsQuerySchema, declarationsQuerySchema } from '@/lib/contract/list-query'
import { InvalidInputError } from '@/server/base/errors'
import { queryReader } from './input'

const readDeclarations = queryReader(declarationsQuerySchema)
const readQuestions = queryReader(askedQuestionsQuerySchema)
const declarations = (query: string) => readDeclarations(new URLSearchParams(query))

describe('a query', () => {
  test('without parameters has the defaults', () => {
    // The order is the verb's to choose: newest first, or the best matches of a search.
    expect(declarations('')).toEqual({ offset: 0, limit: 50 })
    expect(declarations('q=asa&sort=-createdAt')).toMatchObject({ sort: '-createdAt' })
  })

  test('is read with numbers, booleans, lists and text as the schema has them', () => {
    expect(declarations('school=a&school=b&year=2027&year=2028&fresh=1&limit=500&q=%C3%85sa+%C3%96')).toMatchObject({
      school: ['a', 'b'],
      year: [2027, 2028],
      fresh: true,
      limit: 500,
      q: 'Åsa Ö',
    })
    expect(declarations('school=a')).toMatchObject({ school: ['a'] })
    expect(declarations('fresh=false')).toMatchObject({ fresh: false })
  })

  test.each([
    ['year=soon', 'year'],
    ['q=a%00b', 'q'],
    ['school=a&school=%00', 'school'],
    ['year=2027&year=', 'year'],
    ['year=20.5', 'year'],
    ['year=1e3', 'year'],
    ['year=0x7e7', 'year'],
    ['limit=501', 'limit'],
    ['limit=10&limit=20', 'limit'],
    ['offset=-1', 'offset'],
    ['fresh=yes', 'fresh'],
    ['status=open', 'status'],
    ['status=new&status=open', 'status'],
    ['from=2027-02-30', 'from'],
    ['from=', 'from'],
    ['q=a&q=b', 'q'],
    ['mode=email', 'mode'],
    ['__proto__=x', '__proto__'],
    ['constructor=x', 'constructor'],
  ])('%s is refused by name', (query, name) => {
    expect(() => declarations(query)).toThrow(new InvalidInputError(name))
  })
})

test('any query is read, or refused naming one of its parameters', () => {
  const name = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...Object.keys(askedQuestionsQuerySchema.shape)))
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('1', 'true', 'new', 'email', '2027-01-15', '-5', 'NaN', 'Infinity'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      const search = new URLSearchParams(pairs)
      const outcome = attempt(() => readQuestions(search))
      return outcome instanceof InvalidInputError
        ? search.has(outcome.field)
        : askedQuestionsQuerySchema.safeParse(outcome).success
    }),
  )
})

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
