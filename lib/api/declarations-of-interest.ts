import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { leadKeys, PAGE_SIZE, readLeadPage, type LeadListQuery, type LeadPageOptions } from './lead-page'
import { queryString } from './query-string'
import { request } from './request'

const PATH = '/api/declarations-of-interest'

export const readDeclarations = readLeadPage<DeclarationOfInterestItem>('declarationsOfInterest')

/** The page of declarations that starts at `offset`. */
export function declarationsPage(query: LeadListQuery, offset: number): LeadPageOptions {
  const path = PATH + queryString({ ...query, offset, limit: PAGE_SIZE })
  return {
    queryKey: leadKeys.page('declarations-of-interest', query, offset),
    queryFn: ({ signal }) => request(path, { read: readDeclarations, signal }),
  }
}

/** One declaration by its id; an empty page when the person has none such. */
export function oneDeclaration(id: string): LeadPageOptions {
  return {
    queryKey: leadKeys.one('declarations-of-interest', id),
    queryFn: ({ signal }) => request(PATH + queryString({ id, limit: 1 }), { read: readDeclarations, signal }),
  }
}
