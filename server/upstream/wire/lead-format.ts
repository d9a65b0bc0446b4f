import 'server-only'
import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { readAskedQuestion } from './read-asked-question'
import { readDeclaration } from './read-declaration'
import type { Reading } from './reading'

export type LeadOfKind = { 'asked-question': AskedQuestion; 'declaration-of-interest': DeclarationOfInterest }

/** How one list of leads is written: the field of the body that holds the records, and how to read one. */
export type LeadFormat<L extends Lead> = { field: string; read: (json: unknown) => Reading<L> }

const formats: { [K in LeadKind]: LeadFormat<LeadOfKind[K]> } = {
  'asked-question': { field: 'askedQuestions', read: readAskedQuestion },
  'declaration-of-interest': { field: 'declarationsOfInterest', read: readDeclaration },
}

export function leadFormat<K extends LeadKind>(kind: K): LeadFormat<LeadOfKind[K]> {
  return formats[kind]
}
