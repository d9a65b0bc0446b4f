import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { FailureId } from '@/components/ui/failure-id'
import { Kbd, modifierKey } from '@/components/ui/kbd'
import { Spinner } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import { mailFailure, mayHaveArrived, type Refusal } from '@/lib/contacts/reply-check'
import { nameOf } from '@/lib/inbox/lead-text'
import { SecondsLeft, type WaysOut } from './use-send'

type MailFootProps = {
  out: Pick<WaysOut, 'sending'> & {
    isHeld: boolean
    send: (isFinished: boolean) => void
    copy: () => void
    takeBack: () => void
  }
  item: LeadItem
  isTooLong: boolean
  refusal: Refusal | null
  /** The person has got an answer by now, and only a second press sends another. */
  isAsked: boolean
}

export function MailFoot({ out, item, isTooLong, refusal, isAsked }: MailFootProps) {
  const t = useTranslations('reply')
  const { sending } = out
  const name = nameOf(item) ?? t('person')
  const takeBack = <Button onClick={out.takeBack}>{t('takeBack')}</Button>
  if (sending?.is === 'waiting') {
    return (
      <Foot>
        <p className="min-w-0 flex-1 text-sm wrap-anywhere">
          <SecondsLeft until={sending.until}>{(seconds) => t('sendsIn', { name, seconds })}</SecondsLeft>
        </p>
        {takeBack}
      </Foot>
    )
  }
  if (out.isHeld || sending?.is === 'sending') {
    return (
      <Foot>
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm">
          <Spinner className="size-3.5 shrink-0" />
          {t(out.isHeld ? 'held' : 'sending')}
        </p>
        {out.isHeld && takeBack}
      </Foot>
    )
  }
  return (
    <>
      {sending?.is === 'failed' && <Failed name={name} error={sending.error} />}
      <SendButtons out={out} isTooLong={isTooLong} refusal={refusal} isAsked={isAsked} />
    </>
  )
}

function Failed({ name, error }: { name: string; error: unknown }) {
  const t = useTranslations('reply.failed')
  return (
    <p role="alert" className="border-t border-line-soft bg-danger-soft px-3.5 py-2 text-sm text-danger-ink">
      {!mayHaveArrived(error) && t('title', { name })} {t(`why.${mailFailure(error)}`)} {t('kept')}
      <FailureId />
    </p>
  )
}

function SendButtons({ out, isTooLong, refusal, isAsked }: Omit<MailFootProps, 'item'>) {
  const t = useTranslations('reply')
  const maySend = refusal === null
  return (
    <>
      {isTooLong && (
        <p className="border-t border-line-soft px-3.5 py-2 text-xs text-pretty text-mute">
          {t('long.why')}{' '}
          <button
            type="button"
            disabled={!maySend}
            onClick={out.copy}
            className="text-accent underline underline-offset-2 touch:min-h-11"
          >
            {t('long.copy')}
          </button>
        </p>
      )}
      <Foot>
        <Button
          variant="primary"
          disabled={!maySend}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => out.send(true)}
        >
          {t(isTooLong ? 'send.draftDone' : 'send.done')}
          <Kbd inverted>{`${modifierKey()} ↵`}</Kbd>
        </Button>
        <Button disabled={!maySend} onClick={() => out.send(false)}>
          {t(isTooLong ? 'send.draftOpen' : 'send.open')}
        </Button>
        <Hint refusal={refusal} isAsked={isAsked} />
      </Foot>
    </>
  )
}

/** Why it cannot be sent yet, or was not; that nothing is written yet one sees. */
function Hint({ refusal, isAsked }: Pick<MailFootProps, 'refusal' | 'isAsked'>) {
  const t = useTranslations('reply')
  const wrong = refusal?.is === 'nothingWritten' ? null : refusal
  const calm = isAsked ? t('sendAgain') : t('notStored')
  return (
    <p role="status" className={wrong === null && !isAsked ? 'text-xs text-faint' : 'text-xs text-danger'}>
      {wrong === null ? calm : t(`refusal.${wrong.is}`, { over: 0, text: '', ...wrong })}
    </p>
  )
}

function Foot({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-2 gap-y-1.5 border-t border-line-soft bg-bg px-3 py-2">
      {children}
    </div>
  )
}
