import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { LazyArea } from '@/components/desk/lazy-area'
import { DialogForm, useSaveForm } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextAreaField } from '@/components/ui/field'
import { api, apiQuery } from '@/lib/api/call'
import { READING_ASKED } from '@/lib/api/send'
import { fullTime } from '@/lib/time/format-date'

export function ReadingQuestion() {
  const [isOpen, close] = useAsked()
  return (
    isOpen && (
      <LazyArea area="reading">
        <Question onClose={close} />
      </LazyArea>
    )
  )
}

/** For as long the server does not ask again either. */
const QUIET_MS = 15 * 60_000

/** Whether to ask now: not in the middle of a sentence, and not soon after it was closed. */
function useAsked(): [boolean, () => void] {
  const [isOpen, setOpen] = useState(() => !isTyping())
  const closedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const onAsked = () => {
      if (performance.now() - closedAt.current >= QUIET_MS && !isTyping()) setOpen(true)
    }
    window.addEventListener(READING_ASKED, onAsked)
    return () => window.removeEventListener(READING_ASKED, onAsked)
  }, [])
  const close = () => {
    closedAt.current = performance.now()
    setOpen(false)
  }
  return [isOpen, close]
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea') === true
}

const MIN_REASON_LENGTH = 3

function Question({ onClose }: { onClose: () => void }) {
  const t = useTranslations('reading.question')
  const [text, setText] = useState('')
  const reason = text.trim()
  const { errorOf, ...saving } = useSaveForm({
    values: { reason },
    errors: { reason: reason.length < MIN_REASON_LENGTH ? t('missing') : null },
    send: (body) => api('POST /api/reading/question', { body }),
    done: t('thanks'),
    failed: t('failed'),
    onSaved: onClose,
  })
  const later = () => {
    // If this is lost the question comes again, which does no harm.
    api('POST /api/reading/question', { body: { later: true } }).catch(() => undefined)
    onClose()
  }
  const putOff = <Button text={t('later')} variant="ghost" onClick={later} />
  return (
    <Dialog onClose={later} title={t('title')}>
      <DialogForm saving={saving} save={t('send')} other={putOff}>
        <p className="text-sm text-mute">{t('why')}</p>
        <Hours />
        <TextAreaField
          label={t('label')}
          hint={t('hint')}
          error={errorOf('reason')}
          autoFocus
          required
          rows={3}
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="block field-sizing-content min-h-20 resize-none"
        />
      </DialogForm>
    </Dialog>
  )
}

/** The dialog works without them. */
function Hours() {
  const t = useTranslations('reading.question')
  const locale = useLocale()
  const { data } = useQuery({ ...apiQuery('GET /api/reading/question'), gcTime: 0 })
  if (data === undefined || data.hours.length === 0) return null
  return (
    <ul className="tabular flex flex-col gap-1 text-sm font-medium">
      {data.hours.map(({ hour, listed, opened }) => (
        <li key={hour}>{t('hour', { time: fullTime(Date.parse(hour), locale), listed, opened })}</li>
      ))}
    </ul>
  )
}
