import { useQuery } from '@tanstack/react-query'
import { useLocale } from 'next-intl'
import { useMemo, useRef, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { useSchoolNames } from '@/components/desk/schools'
import { contact } from '@/lib/api/contacts'
import type { LeadItem } from '@/lib/api/leads'
import { templates } from '@/lib/api/reply-templates'
import { greetingName } from '@/lib/contacts/greeting-name'
import { languageOf } from '@/lib/contacts/question-language'
import { fillTemplate } from '@/lib/contacts/reply-mail'
import { beginReply, placeToGoOn, withTemplate } from '@/lib/contacts/reply-text'
import { suggestTemplate } from '@/lib/contacts/suggest-template'
import type { LeadRef } from '@/lib/contract/lead'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import type { Locale } from '@/lib/i18n/locale'
import { isQuestion } from '@/lib/inbox/lead-text'
import { createReplyDrafts, type ReplyDraft } from '@/lib/inbox/reply-drafts'
import { forgetSignedOut } from '@/lib/inbox/signed-out'

/** Half-written replies of the person who is signed in. */
export function useReplyDrafts() {
  const owner = useCurrentUser()?.id ?? ''
  return useMemo(() => {
    // A tab that was asleep or closed when the person signed out must not show what was written in it before.
    forgetSignedOut(window.sessionStorage, window.localStorage)
    return createReplyDrafts(window.sessionStorage, owner)
  }, [owner])
}

/** The reply that is being written to a lead: begun for the person, kept while it is changed. */
export function useReply(lead: LeadRef, item: LeadItem) {
  const drafts = useReplyDrafts()
  const [draft, setDraft] = useState(() => drafts.read(lead))
  const to = useReplyTo(item)
  const begun = useMemo(() => beginReply(to), [to])
  const choice = useTemplateChoice(item, to.language)
  const text = draft ?? { subject: begun.subject, body: begun.body, isQuoted: true, seenAttempt: null }
  /** What a template filled in and nobody has touched since gives way to the next one. */
  const filledIn = useRef<Pick<ReplyDraft, 'subject' | 'body'>>(begun)

  const change = (part: Partial<Pick<ReplyDraft, 'subject' | 'body' | 'isQuoted'>>) => {
    const seenAttempt = draft === null ? (item.attempts.last?.at ?? null) : text.seenAttempt
    const next = { ...text, seenAttempt, ...part }
    setDraft(next)
    if (next.body.trim() === '') drafts.forget(lead)
    else drafts.write(lead, next)
  }
  /** Answers where the caret goes then. */
  const fillIn = (template: ReplyTemplate, caret: number): number => {
    const filled = { subject: fillTemplate(template.subject, to), body: fillTemplate(template.body, to) }
    const next = withTemplate(text, filled, [begun, filledIn.current], caret)
    filledIn.current = next.isWhole ? filled : begun
    change({ subject: next.subject, body: next.body })
    return next.caret
  }
  return {
    text,
    isTouched: draft !== null,
    to,
    caret: draft === null ? begun.caret : placeToGoOn(draft.body, to.language),
    change,
    fillIn,
    ...choice,
    /** Brings it back as it was, where it was sent or handed over by mistake. */
    restore: (before: ReplyDraft) => drafts.write(lead, before),
    done: () => drafts.forget(lead),
  }
}

/** Whom the reply is to, in the language that they asked in. */
function useReplyTo(item: LeadItem) {
  const locale = useLocale()
  const schools = useSchoolNames()
  const { data: person } = useQuery(contact(item.contactId))
  const author = useCurrentUser()?.name ?? ''
  const school = schools.of(item)
  const firstName = greetingName(item, person)
  const question = isQuestion(item) ? item.question : null
  return useMemo(() => {
    const language = question === null ? locale : languageOf(question, locale)
    return { language, firstName, school, author, isQuestion: question !== null }
  }, [question, locale, firstName, school, author])
}

/** The templates, those of the reply's language first, and the one that the question suggests. */
function useTemplateChoice(item: LeadItem, language: Locale) {
  const { data, isError } = useQuery(templates)
  const question = isQuestion(item) ? item.question : ''
  return useMemo(() => {
    const all = data?.templates ?? []
    const own = all.filter((template) => template.language === language)
    const others = all.filter((template) => template.language !== language)
    return { own, others, suggested: suggestTemplate(question, own), hasNoTemplates: isError }
  }, [data, isError, question, language])
}
