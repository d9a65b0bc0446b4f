import type { CountedLeads } from '../counted-leads'
import { type AnsweredLeads, firstAnswers, type TriageOfBoth } from '../first-answers'

/** Leads with their first answers. */
export function answeredLeads({ declarations, questions }: CountedLeads, triage: TriageOfBoth): AnsweredLeads {
  const answeredAt = firstAnswers(declarations.table, triage.declarations)
  return {
    declarations: { ...declarations, answeredAt },
    questions: { ...questions, answeredAt: firstAnswers(questions.table, triage.questions) },
  }
}
