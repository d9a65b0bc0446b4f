import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { ReadingLimits } from '@/lib/contract/reading'

const RANGES = { listed: { min: 50, max: 1_000_000 }, opened: { min: 10, max: 100_000 } } as const

/** What administrators take to be more than usual within an hour. */
export function LimitsForm({ saved }: { saved: ReadingLimits }) {
  const t = useTranslations('reading.limits')
  const { texts, setTexts, isWrong, isChecked, busy, save } = useLimits(saved)
  return (
    <form
      noValidate
      aria-labelledby="limits"
      onSubmit={(event) => void save(event)}
      className="max-w-2xl rounded-lg border border-line bg-panel p-4 shadow-card"
    >
      <h2 id="limits" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mt-1 mb-3 text-sm text-mute">{t('lead')}</p>
      <div className="grid grid-cols-1 gap-3 desk:grid-cols-2">
        {(['listed', 'opened'] as const).map((name) => (
          <Field key={name} label={t(name)} error={isChecked && isWrong(name) ? t(`${name}Range`) : undefined}>
            {(attributes) => (
              <Input
                {...attributes}
                inputMode="numeric"
                className="tabular"
                value={texts[name]}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Button type="submit" busy={busy} className="mt-4">
        {t('save')}
      </Button>
    </form>
  )
}

function useLimits(saved: ReadingLimits) {
  const t = useTranslations('reading.limits')
  const [texts, setTexts] = useState({ listed: String(saved.listed), opened: String(saved.opened) })
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const isWrong = (name: keyof ReadingLimits) => !isWithin(texts[name], RANGES[name])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isWrong('listed') || isWrong('opened')) return
    setBusy(true)
    try {
      await api('PUT /api/reading/limits', {
        body: { listed: Number(texts.listed), opened: Number(texts.opened) },
      })
      toast(t('saved'))
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return { texts, setTexts, isWrong, isChecked, busy, save }
}

function isWithin(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^\d{1,7}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
}
