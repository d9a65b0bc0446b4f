import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useThisYear } from '@/components/app/clock'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { ADMISSION_DATES, findDateOutOfOrder } from '@/lib/interest/cohort'

/** Sets the dates of the admission, each later than the one before. The fields show this year, which is not saved. */
export function CycleForm({ saved, onSaved }: { saved: AdmissionCycle; onSaved: (cycle: AdmissionCycle) => void }) {
  const t = useTranslations('work.cycle')
  const year = useThisYear()
  const [cycle, setCycle] = useState(saved)
  const wrongDate = findDateOutOfOrder(cycle)
  const saving = useSaveForm({
    values: cycle,
    send: (body) => api('PUT /api/admission-cycle', { body }),
    successMessage: t('saved'),
    onSaved,
  })
  const isSavable = wrongDate === null && saving.isUnsaved
  return (
    <SettingsForm saving={saving} title={t('title')} intro={t('intro')} disabled={!isSavable}>
      <div className="grid gap-4 px-4 py-3">
        {ADMISSION_DATES.map((name) => (
          <TextField
            key={name}
            type="date"
            label={t(`date.${name}`)}
            hint={t(`hint.${name}`)}
            error={name === wrongDate ? t('order') : undefined}
            required
            min={`${year}-01-01`}
            max={`${year}-12-31`}
            value={`${year}-${cycle[name]}`}
            onChange={({ target }) => {
              // A date that is being typed is empty.
              if (target.value !== '') setCycle({ ...cycle, [name]: target.value.slice('yyyy-'.length) })
            }}
          />
        ))}
      </div>
    </SettingsForm>
  )
}
