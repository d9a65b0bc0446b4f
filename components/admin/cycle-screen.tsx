'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { saveAdmissionCycle } from '@/lib/api/admission-cycle'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { admissionDates, firstOutOfOrder } from '@/lib/interest/cycle-days'
import { CycleDateField } from './cycle-date-field'

type CycleScreenProps = { saved: AdmissionCycle; usual: AdmissionCycle }

/** The dates of the admission, which the page about interest counts and draws by. */
export function CycleScreen({ saved, usual }: CycleScreenProps) {
  const t = useTranslations('interest.cycle')
  const [cycle, setCycle] = useState(saved)
  const [busy, setBusy] = useState(false)
  const wrong = firstOutOfOrder(cycle)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (wrong !== null) return
    setBusy(true)
    try {
      await saveAdmissionCycle(cycle)
      toast(t('saved'))
    } catch {
      toast(t('failed'), { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-5 p-4 desk:px-8 desk:py-7">
      <header>
        <h1 className="text-lg font-semibold">{t('title')}</h1>
        <p className="text-sm text-pretty text-mute">{t('lead')}</p>
      </header>
      <form onSubmit={(event) => void save(event)} className="rounded-lg border border-line bg-panel shadow-card">
        <ol>
          {admissionDates.map((name) => (
            <CycleDateField
              key={name}
              label={t(`date.${name}`)}
              hint={t(`hint.${name}`)}
              error={name === wrong ? t('order') : null}
              value={cycle[name]}
              onChange={(date) => setCycle({ ...cycle, [name]: date })}
            />
          ))}
        </ol>
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line-soft p-3">
          <Button variant="ghost" onClick={() => setCycle(usual)}>
            {t('usual')}
          </Button>
          <Button variant="primary" type="submit" busy={busy} disabled={wrong !== null}>
            {t('save')}
          </Button>
        </div>
      </form>
    </div>
  )
}
