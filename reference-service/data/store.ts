import type { AskedQuestion, DataSource, DeclarationOfInterest, Grant, HighSchool, ServiceData } from '../model'
import { byName, byNewest } from './order'

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
