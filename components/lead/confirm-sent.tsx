import { useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { requestWriting } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import type { HandedOver } from '@/lib/inbox/drafts'
import { toAnswerDecision } from '@/lib/inbox/own-changes'
import { startTimeout } from '@/lib/start-timeout'
import type { OutgoingMail } from './outgoing-mail'
import type { MailProps } from './send-by-intag'

/** The buttons are disabled this long, because the second press of a double click was meant for the send button. */
const DOUBLE_PRESS_MS = 600

type ConfirmSentProps = MailProps & { outgoing: OutgoingMail; handedOver: HandedOver }

/** Asks whether a mail has been sent, where Intag cannot know. Nothing is noted until the user says that it has. */
export function ConfirmSent({ lead, item, actions, reply, outgoing, handedOver, onClose }: ConfirmSentProps) {
  const t = useTranslations('reply')
  const headingId = useId()
  const groupRef = useRef<HTMLDivElement>(null)
  const { handedOverAt, isFinished, how } = handedOver
  const [isPressable, setPressable] = useState(() => Date.now() - Date.parse(handedOverAt) > DOUBLE_PRESS_MS)
  useEffect(() => {
    if (isPressable) return undefined
    // Disabled buttons cannot have the focus, so the group takes it.
    groupRef.current?.focus()
    return startTimeout(DOUBLE_PRESS_MS, () => setPressable(true))
  }, [isPressable])
  const isUnknown = how === 'unknown'
  const maySend = outgoing.maySend && isPressable
  const noteSent = () => {
    reply.drafts.forget(lead)
    onClose()
    actions.noteAttempt({
      item,
      attempt: { channel: 'email', outcome: 'sent', ...toAnswerDecision(item, isFinished) },
      notice: t('said.noted', { name: reply.personName }),
      // If the note fails or is undone, the user is asked again.
      onReverted: () => {
        reply.recordHandOver(handedOver)
        requestWriting(lead, 'mail')
      },
    })
  }
  return (
    <div
      ref={groupRef}
      role="group"
      tabIndex={-1}
      aria-labelledby={headingId}
      className="sticky bottom-0 border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={headingId} className="font-semibold">
        {t(isUnknown ? 'asked.unknownTitle' : 'asked.title')}
      </h3>
      {how !== 'opened' && <p className="text-sm text-mute">{t(`asked.${how}`)}</p>}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          text={t('asked.yes')}
          disabled={!isPressable}
          variant="accent"
          onClick={noteSent}
          className="min-w-16"
        />
        <Button
          text={t(isUnknown ? 'asked.sendAgain' : 'asked.again')}
          disabled={!maySend}
          onClick={() => outgoing.send({ finishesLead: isFinished })}
        />
        <CopyTextButton text={t('asked.copy')} textToCopy={outgoing.body} disabled={!maySend} />
      </div>
    </div>
  )
}
