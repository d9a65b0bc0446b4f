import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { toast } from '@/components/ui/toast'
import { apiQuery } from '@/lib/api/call'
import { findRefusal } from '@/lib/contacts/reply-check'
import { createShortMailLink } from '@/lib/contacts/reply-mail'
import { appendQuote } from '@/lib/contacts/reply-text'
import type { MailWay } from '@/lib/contract/limits'
import { isAnswer } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'
import { outbox } from '@/lib/inbox/outbox'
import { findReplyConflict } from '@/lib/inbox/reply-conflict'
import { type MailProps, toReplyTopic, useSendByIntag } from './send-by-intag'

const MAIL_WAYS_STALE_MS = 5 * 60_000

export type OutgoingMail = ReturnType<typeof useOutgoingMail>

/** Decides whether a reply may be sent, sends it the way of its school, and follows it until it is sent. */
export function useOutgoingMail(props: MailProps & { email: string }) {
  const { lead, item, email, reply, onClose } = props
  const { draft, context, isTouched } = reply
  const ownId = useCurrentUser()?.id
  const { data: mailSetup, isPending } = useQuery({ ...apiQuery('GET /api/replies'), staleTime: MAIL_WAYS_STALE_MS })
  const mailWay: MailWay = mailSetup?.ways?.[item.highSchoolId] ?? (mailSetup?.canSend ? 'intag' : 'program')
  const outboxState = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.read(lead),
    () => undefined,
  )
  // The panel closes once the mail is sent, even if the user has left the lead and come back meanwhile.
  const wasSending = useRef(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (wasSending.current && outboxState === undefined) close()
    wasSending.current = outboxState?.kind === 'sending'
  }, [outboxState])
  const sendByIntag = useSendByIntag(props)
  const openInProgram = useOpenInProgram(props)
  const subject = draft.subject.trim()
  const body = appendQuote(draft.body, isQuestion(item) ? item.question : null, context.language)
  const link = mailWay === 'intag' ? null : createShortMailLink(mailWay, { to: email, subject, body })
  const refusal = findRefusal({ context, email, subject, text: isTouched ? draft.body : null, body, way: mailWay })
  const isSending = outboxState !== undefined && outboxState.kind !== 'failed'
  const maySend = refusal === null && !isPending && !isSending
  const replyConflict = isTouched && !isSending ? findReplyConflict(item, draft.seenAttempt, ownId) : null
  const { last } = item.attempts
  const isClosedMeanwhile = replyConflict === 'handled' || replyConflict === 'dismissed'
  const isAnsweredMeanwhile = last !== null && isAnswer(last.outcome) && replyConflict !== null && !isClosedMeanwhile
  // If the lead was answered meanwhile, the first press only warns, and the second one sends.
  const [warnedAttemptAt, setWarnedAttemptAt] = useState<string | null>(null)
  const needsSecondSend = isAnsweredMeanwhile && warnedAttemptAt === last.at
  return {
    body,
    mailWay,
    outboxState,
    isSending,
    isTooLong: !isPending && link?.isTextLeftOut === true,
    refusal,
    maySend,
    replyConflict,
    needsSecondSend,
    send: ({ finishesLead }: { finishesLead: boolean }): void => {
      if (!maySend) return
      if (isAnsweredMeanwhile && !needsSecondSend) setWarnedAttemptAt(last.at)
      else if (link === null) sendByIntag({ subject, body, finishesLead })
      else void openInProgram({ href: link.href, textToCopy: link.isTextLeftOut ? body : null, finishesLead })
    },
  }
}

type ProgramMail = { href: string; textToCopy: string | null; finishesLead: boolean }

function useOpenInProgram({ lead, reply }: MailProps) {
  const t = useTranslations('reply')
  return async ({ href, textToCopy, finishesLead }: ProgramMail) => {
    try {
      if (textToCopy !== null) await navigator.clipboard.writeText(textToCopy)
    } catch {
      return toast(t('copyFailed'), { tone: 'error', topic: toReplyTopic(lead) })
    }
    const anchor = document.createElement('a')
    anchor.href = href
    // Webmail opens in a tab of its own, which gets no reference to this one.
    if (anchor.protocol !== 'mailto:') {
      anchor.target = '_blank'
      anchor.rel = 'noopener noreferrer'
    }
    anchor.click()
    const how = textToCopy === null ? 'opened' : 'copied'
    reply.recordHandOver({ handedOverAt: new Date().toISOString(), isFinished: finishesLead, how })
  }
}
