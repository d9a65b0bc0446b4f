import format from 'icu-minify/format'
import { expect, test } from 'vitest'
import { compileMessages } from './compile-messages'

const formatters = {
  getNumberFormat: (...given: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...given),
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...given),
}

test('a compiled message says what its text says, at any depth', () => {
  const { list } = compileMessages({
    list: { fresh: '{count, plural, one {# ny} other {# nya}}, visa', plain: 'Stäng' },
  })
  expect(format(list.fresh, 'sv', { count: 1 }, { formatters })).toBe('1 ny, visa')
  expect(format(list.fresh, 'sv', { count: 12 }, { formatters })).toBe('12 nya, visa')
  expect(list.plain).toBe('Stäng')
})

test('what goes to the browser is plain data', () => {
  const messages = compileMessages({ fresh: '{count, plural, one {# ny} other {# nya}}' })
  expect(structuredClone(messages)).toEqual(messages)
  expect(JSON.parse(JSON.stringify(messages))).toEqual(messages)
  expect(prototypesIn(messages)).toEqual(new Set([Object.prototype, Array.prototype]))
})

function prototypesIn(value: unknown): Set<unknown> {
  if (typeof value !== 'object' || value === null) return new Set()
  return new Set([Object.getPrototypeOf(value), ...Object.values(value).flatMap((inner) => [...prototypesIn(inner)])])
}
