import { useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import { CopyTextButton } from '@/components/app/copy-text-button'
import { useCurrentUser } from '@/components/app/current-user'
import { requestWriting } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import type { HandedOver } from '@/lib/inbox/drafts'
import { toAnswerDecision } from '@/lib/inbox/own-changes'
import { startTimeout } from '@/lib/start-timeout'
import type { ChannelProps } from './lead-props'
import type { OutgoingMail } from './outgoing-mail'
import type { Reply } from './use-reply'

/** So long the buttons are disabled, because the second press of a double click was meant for the button before. */
const DOUBLE_PRESS_MS = 600

type ConfirmSentProps = ChannelProps & { reply: Reply; outgoing: OutgoingMail; handedOver: HandedOver }

/** Asks whether a mail that was opened elsewhere has been sent. Nothing is noted until the user says so. */
export function ConfirmSent({ lead, item, handlers, reply, outgoing, handedOver, onClose }: ConfirmSentProps) {
  const t = useTranslations('reply')
  const user = useCurrentUser()
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const { handedOverAt, isFinished, how } = handedOver
  const [pressableFor, setPressableFor] = useState(() =>
    Date.now() - Date.parse(handedOverAt) > DOUBLE_PRESS_MS ? handedOverAt : null,
  )
  const isPressable = pressableFor === handedOverAt
  useEffect(() => {
    if (isPressable) return undefined
    // The group has the focus while its buttons are disabled.
    group.current?.focus()
    return startTimeout(DOUBLE_PRESS_MS, () => setPressableFor(handedOverAt))
  }, [isPressable, handedOverAt])
  const isUnknown = how === 'unknown'
  const maySend = outgoing.maySend && isPressable
  const noteSent = () => {
    const name = reply.personName
    // We ask again if the note is undone, or fails.
    const reopenMail = () => {
      reply.setHandedOver(handedOver)
      requestWriting(lead, 'mail')
    }
    reply.drafts.forget(lead)
    onClose()
    handlers.onAttempt({
      item,
      attempt: { channel: 'email', outcome: 'sent', ...toAnswerDecision(item, isFinished) },
      author: user && { id: user.id, name: user.name },
      notice: t('said.noted', { name }),
      undoneNotice: t('said.undone', { name }),
      failureNotice: t('asked.notNoted', { name }),
      onReverted: reopenMail,
    })
  }
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className="sticky bottom-0 border-t border-line-soft bg-bg px-3 py-2.5 -outline-offset-2"
    >
      <h3 id={id} className="font-semibold">
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
          onClick={() => outgoing.send({ isFinished })}
        />
        <CopyTextButton text={t('asked.copy')} textToCopy={outgoing.body} disabled={!maySend} />
      </div>
    </div>
  )
}
