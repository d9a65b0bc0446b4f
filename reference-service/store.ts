import type { AskedQuestion, DeclarationOfInterest, HighSchool } from './specification'

/** Holds the service's data in the order in which it is answered. */
export function createStore(data: UnsortedData, tokens: ReadonlyMap<string, Grant>): Store {
  let current = inOrder(data)
  let currentTokens = tokens
  return {
    current: () => current,
    tokens: () => currentTokens,
    replace(next, nextTokens) {
      current = inOrder(next)
      currentTokens = nextTokens
    },
    addAskedQuestion(question) {
      current = { ...current, askedQuestions: inserted(current.askedQuestions, question) }
    },
    addDeclaration(declaration) {
      current = { ...current, declarationsOfInterest: inserted(current.declarationsOfInterest, declaration) }
    },
  }
}

/** All schools, these, or none at all: a token with `none` is known but not permitted. */
export type SchoolScope = 'all' | readonly string[] | 'none'

/** The label names the token in logs, where the token itself must not stand. */
export type Grant = { label: string; schools: SchoolScope }

/** Never changes; an arrival or an edited file makes a new one, so answers may be kept for as long as it lives. */
export type ServiceData = {
  readonly highSchools: readonly HighSchool[]
  readonly askedQuestions: readonly AskedQuestion[]
  readonly declarationsOfInterest: readonly DeclarationOfInterest[]
}

export type DataSource = { current(): ServiceData; tokens(): ReadonlyMap<string, Grant> }

/** In any order; what a store is given. */
export type UnsortedData = {
  highSchools: HighSchool[]
  askedQuestions: AskedQuestion[]
  declarationsOfInterest: DeclarationOfInterest[]
}

export type Store = DataSource & {
  replace(data: UnsortedData, tokens: ReadonlyMap<string, Grant>): void
  addAskedQuestion(question: AskedQuestion): void
  addDeclaration(declaration: DeclarationOfInterest): void
}

function inOrder({ highSchools, askedQuestions, declarationsOfInterest }: UnsortedData): ServiceData {
  return {
    highSchools: highSchools.toSorted(byName),
    askedQuestions: askedQuestions.toSorted(byNewest),
    declarationsOfInterest: declarationsOfInterest.toSorted(byNewest),
  }
}

function inserted<T extends { createdAt: string; id: string }>(list: readonly T[], item: T): T[] {
  const at = list.findIndex((other) => byNewest(item, other) < 0)
  return at === -1 ? [...list, item] : [...list.slice(0, at), item, ...list.slice(at)]
}

/** Newest first; equal moments by id. Times are ISO 8601 with milliseconds and Z, so they sort as text. */
export function byNewest(a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

const swedish = new Intl.Collator('sv')

/** Swedish alphabetical order: å, ä and ö come last. */
function byName(a: HighSchool, b: HighSchool): number {
  return swedish.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)
}
