import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useNow } from '@/components/app/clock'
import { useTriage } from '@/components/app/use-triage'
import { requestWriting } from '@/components/contact/writing-request'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { createIdempotencyKey } from '@/lib/api/mutation-options'
import { mutateInOrder } from '@/lib/api/refresh'
import { classifyMailFailure, isUnanswered, mayHaveArrived } from '@/lib/contacts/mail-failure'
import type { LeadRef } from '@/lib/contract/lead'
import { outbox, UNDO_SEND_MS } from '@/lib/inbox/outbox'
import { toAnswerDecision } from '@/lib/inbox/own-changes'
import { leadKey } from '@/lib/leads/lead-key'
import type { ChannelProps } from './lead-props'
import type { Reply } from './use-reply'

export type MailProps = ChannelProps & { reply: Reply }

type FinalMail = { subject: string; body: string; finishesLead: boolean }

/** Returns a function that puts a mail into the outbox, which sends it after a few seconds to take it back. */
export function useSendByIntag({ lead, item, actions, reply }: MailProps) {
  const t = useTranslations('reply')
  const client = useQueryClient()
  const triage = useTriage()
  const { drafts, personName } = reply
  const topic = toReplyTopic(lead)
  const openAgain = () => {
    actions.returnToLead([lead])
    requestWriting(lead, 'mail')
  }
  return ({ subject, body, finishesLead }: FinalMail): void => {
    const mailKey = drafts.getMailKey(lead, `${subject}\n${body}`, createIdempotencyKey)
    const decision = toAnswerDecision(item, finishesLead)
    const { promise: whenSent, resolve: settleSent } = Promise.withResolvers<boolean>()
    const post = () => api('POST /api/replies', { body: { ...lead, subject, body, key: mailKey, ...decision } })
    const onFailed = (error: unknown) => {
      const failure = classifyMailFailure(error)
      // An unanswered request keeps its idempotency key, so that sending again cannot send the mail twice.
      if (!isUnanswered(failure)) drafts.forgetMailKey(lead)
      if (failure === 'unknown')
        reply.recordHandOver({ handedOverAt: new Date().toISOString(), isFinished: finishesLead, how: 'unknown' })
      // The user comes back here after signing in again.
      if (failure === 'unauthenticated') actions.returnToLead([lead])
      const action = { label: t('openAgain'), onClick: openAgain }
      const text = mayHaveArrived(failure) ? t(`failed.why.${failure}`) : t('failed.title', { name: personName })
      toast(text, { tone: 'error', topic, isPersistent: true, action })
    }
    const send = async () => {
      toast(t(onlineManager.isOnline() ? 'sending' : 'held'), { topic })
      try {
        const { attempt } = await mutateInOrder(client, { mutationFn: post })
        settleSent(true)
        drafts.forget(lead)
        // Without an attempt the mail is sent, but not noted on the lead.
        toast(t(attempt ? 'said.sent' : 'said.notNoted', { name: personName }), { topic, isPersistent: !attempt })
      } catch (error) {
        settleSent(false)
        onFailed(error)
        throw error
      }
    }
    const onTakenBack = () => {
      toast(t('said.takenBack', { name: personName }), { topic })
      settleSent(false)
      openAgain()
    }
    const undoUntil = outbox.enqueue({ lead, send, onTakenBack })
    if (undoUntil === null) return
    reply.recordHandOver(undefined)
    triage.applyMailDecision(lead, item, decision, whenSent)
    const text = <Countdown untilMs={undoUntil} toText={(seconds) => t('sendsIn', { name: personName, seconds })} />
    toast(text, { topic, action: { label: t('takeBack'), onClick: () => void outbox.takeBack(lead) } })
    if (finishesLead) actions.goToNextLead(item)
  }
}

/** All toasts about a reply have one topic, so that the newest replaces the one before. */
export const toReplyTopic = (lead: LeadRef) => `reply ${leadKey(lead)}`

function Countdown({ untilMs, toText }: { untilMs: number; toText: (seconds: number) => string }) {
  const leftMs = untilMs - (useNow() ?? untilMs - UNDO_SEND_MS)
  return (
    <span role="timer" aria-live="off" className="tabular">
      {toText(Math.max(0, Math.ceil(leftMs / 1000)))}
    </span>
  )
}
