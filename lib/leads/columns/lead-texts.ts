import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import { emailKey, NO_KEY, phoneKey } from '@/lib/contacts/contact-key'
import { phoneSearchText } from '@/lib/phone/phone-search-text'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { createFolder } from './folded-text'
import { createNameKeys } from './name-key'

/** What the columns keep of a lead beside its id, school and moment. */
export type LeadTexts = {
  searchText: string
  sortName: string
  year: number
  mode: string | null
  emailKey: number
  phoneKey: number
}

/** Of a record that is no lead. */
export const BLANK_TEXTS: LeadTexts = {
  searchText: '',
  sortName: '',
  year: NO_YEAR,
  mode: null,
  emailKey: NO_KEY,
  phoneKey: NO_KEY,
}

/** The only mode in a list without contact modes. */
const NO_MODE = ''

export function createLeadTexts(): (lead: Lead) => LeadTexts {
  const fold = createFolder()
  const nameKey = createNameKeys()
  const shared = createSharing()

  function ofQuestion({ sender: { mode, phone, email }, question }: AskedQuestion): LeadTexts {
    const searchText = fold([email, question], phoneDigits(phone))
    return { searchText, sortName: nameKey(email ?? phone ?? ''), year: NO_YEAR, mode, ...keysOf(email, phone) }
  }

  function ofDeclaration({ user }: DeclarationOfInterest): LeadTexts {
    const { firstName, lastName, email, phone, highSchoolEnrollmentYear } = user
    const searchText = shared(fold([firstName, lastName, email], phoneDigits(phone)))
    const sortName = shared(nameKey([firstName, lastName].filter((part) => part !== null).join(' ')))
    return { searchText, sortName, year: columnYear(highSchoolEnrollmentYear), mode: NO_MODE, ...keysOf(email, phone) }
  }

  return (lead) => ('sender' in lead ? ofQuestion(lead) : ofDeclaration(lead))
}

function keysOf(email: string | null, phone: string | null) {
  return { emailKey: emailKey(email), phoneKey: phoneKey(phone) }
}

function phoneDigits(phone: string | null): string {
  return phone === null ? '' : phoneSearchText(phone)
}

/** Equal texts become one: who declares an interest in several schools is in the list several times. */
function createSharing(): (text: string) => string {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
}

/** Absurd years, beyond what the column can hold, become its ends: they still sort last and first. */
function columnYear(year: number | null): number {
  return year === null ? NO_YEAR : Math.max(NO_YEAR + 1, Math.min(2_147_483_647, year))
}
