import { expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { tracesOf } from './contact-leads'
import { personsNamed } from './named-in-text'

const of = (user: Parameters<typeof declaration>[1]) => tracesOf(declaration('x', user))
const elsa = of({ firstName: 'Elsa', lastName: 'Åberg Dahl', email: 'e.l@x.se', phone: '070-174 06 05' })
const anna = of({ firstName: 'Anna', email: '(a+b)*@x.se', phone: '-' })
const named = personsNamed([elsa, anna])

test.each([
  ['ring ELSA åberg-dahl', [0]],
  ['Dahl Aberg, Elsa: två gånger', [0]],
  ['skriv till E.L@X.se.', [0]],
  ['0701740605', [0]],
  ['tel +46 70-174 06 05 efter tre', [0]],
  ['070 / 174 06 05', [0]],
  ['(a+b)*@x.se och e.l@x.se', [0, 1]],
])('%s names them', (text, expected) => expect(named(text)).toEqual(expected))

test.each([
  'Elsa',
  'Elsa Dahl',
  'Elsabet Åberg Dahl',
  'Anna',
  'hanna.e.l@x.se',
  'ehl@x.se',
  'e.l@x.sec',
  '-',
  '',
  '17406',
])('“%s” names nobody', (text) => expect(named(text)).toEqual([]))

test('a long text takes no longer than it is long', () => {
  const before = performance.now()
  named(`${'1 '.repeat(5_000)}${'a.'.repeat(5_000)}${' ('.repeat(5_000)}`)
  expect(performance.now() - before).toBeLessThan(500)
})
