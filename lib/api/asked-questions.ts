import type { AskedQuestionItem } from '@/lib/contract/lead'
import { leadKeys, PAGE_SIZE, readLeadPage, type LeadListQuery, type LeadPageOptions } from './lead-page'
import { queryString } from './query-string'
import { request } from './request'

export const readAskedQuestions = readLeadPage<AskedQuestionItem>('askedQuestions')

/** The page of asked questions that starts at `offset`. */
export function askedQuestionsPage(query: LeadListQuery, offset: number): LeadPageOptions {
  const path = `/api/asked-questions${queryString({ ...query, offset, limit: PAGE_SIZE })}`
  return {
    queryKey: leadKeys.page('asked-questions', query, offset),
    queryFn: ({ signal }) => request(path, { read: readAskedQuestions, signal }),
  }
}

/** One asked question by its id; an empty page when the person has none such. */
export function oneAskedQuestion(id: string): LeadPageOptions {
  return {
    queryKey: leadKeys.one('asked-questions', id),
    queryFn: ({ signal }) =>
      request(`/api/asked-questions${queryString({ id, limit: 1 })}`, { read: readAskedQuestions, signal }),
  }
}
