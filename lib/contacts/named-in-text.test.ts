import { expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { createPersonMatcher, toPersonIdentifiers } from './named-in-text'

const of = (user: Parameters<typeof declaration>[1]) => toPersonIdentifiers(declaration('x', user))
const elsa = of({ firstName: 'Elsa Maria', lastName: 'Åberg Dahl', email: 'e.l@x.se', phone: '070-174 06 05' })
const anna = of({ firstName: 'Anna', email: '(a+b)*@x.se', phone: '-' })
const named = createPersonMatcher([elsa, anna])

const byName = ['ring ELSA åberg-dahl', 'Dahl Aberg, Elsa: två gånger', 'Elsa Dahl', 'Hos Elsa Maria Åberg Dahls mamma']
const byPhone = ['0701740605', 'tel +46 70-174 06 05 efter tre', '070 / 174 06 05', '070\u2011174\u201206\u200b05']
test.each([...byName, ...byPhone, 'skriv till E.L@X.se.'])('“%s” names Elsa', (text) =>
  expect(named(text)).toEqual([0]),
)

test('a text may name several', () => expect(named('(a+b)*@x.se och e.l@x.se')).toEqual([0, 1]))

const names = ['Elsa', 'Elsa Maria', 'Maria Dahl', 'Åberg Dahl', 'Elsabet Åberg Dahl', 'Anna']
const strangers = ['070 174 06', '17406', 'hanna.e.l@x.se', 'ehl@x.se', 'e.l@x.sec', '-', '']
test.each([...names, ...strangers])('“%s” names nobody', (text) => expect(named(text)).toEqual([]))

test.each([
  [{ firstName: 'Elsa', lastName: 'Berg' }, ['Elsa Bergs ansökan', 'Bergs Elsa'], ['Elsa i berget', 'Bergs']],
  [
    { firstName: 'Anna-Karin', lastName: 'Lind-Ek' },
    ['Anna Ek', 'anna-karin lind', 'Karin Ek'],
    ['Anna-Karin', 'Lind-Ek'],
  ],
  [{ firstName: 'Ali', lastName: 'Ali' }, ['Ali Ali', 'Alis (Ali)'], ['Ali', 'Alis']],
  [{ firstName: 'Elsa', lastName: 'de la Cruz' }, ['elsa cruz'], ['Elsa: de ringde']],
  [{ firstName: 'Bo', lastName: 'Al' }, ['Bo Al'], ['Bo']],
  [{ firstName: 'Elsa Maria Berg', lastName: null }, ['Elsa Berg'], ['Elsa', 'Maria Berg']],
  [{ firstName: null, lastName: 'Elsa Berg' }, ['Berg, Elsa'], ['Berg']],
  [{ firstName: 'E(.*', lastName: '[+' }, [], ['E(.* [+', 'e']],
  [{ firstName: 'Elsa', lastName: '' }, [], ['Elsa', '']],
])('%o is named by %o and not by %o', (user, naming, others) => {
  const isNamed = (text: string) => createPersonMatcher([of({ email: null, phone: null, ...user })])(text).length > 0
  expect([naming, others].map((texts) => texts.filter(isNamed))).toEqual([naming, []])
})
