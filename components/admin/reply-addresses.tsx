import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Input } from '@/components/ui/field'
import type { HighSchool } from '@/lib/contract/lead'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { useSaveWork } from './save-work'
import { WorkSection } from './work-section'

type ReplyAddressesProps = {
  settings: WorkSettings
  schools: readonly HighSchool[]
  onSaved: (settings: WorkSettings) => void
}

/** Where the answers to our mail go, for each school. */
export function ReplyAddresses({ settings: { replyTo }, schools, onSaved }: ReplyAddressesProps) {
  const t = useTranslations('work.replyTo')
  const [addresses, setAddresses] = useState(replyTo)
  const { busy, save } = useSaveWork(onSaved)
  const set = (school: string, address: string) => {
    const { [school]: _, ...others } = addresses
    setAddresses(address.trim() === '' ? others : { ...others, [school]: address.trim() })
  }
  const isOther = schools.some(({ id }) => addresses[id] !== replyTo[id])
  return (
    <WorkSection
      title={t('title')}
      lead={t('lead')}
      save={t('save')}
      busy={busy}
      disabled={!isOther}
      onSave={() => void save({ replyTo: changed(replyTo, addresses) })}
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('noSchools')}</p>}
      <div className="max-h-96 overflow-y-auto scroll-thin">
        {schools.map(({ id, name }) => (
          <label
            key={id}
            className="grid items-center gap-x-4 gap-y-1.5 border-b border-line-soft px-4 py-2.5 text-sm font-medium last:border-b-0 desk:grid-cols-[1fr_18rem]"
          >
            {name}
            <Input
              type="email"
              maxLength={200}
              autoComplete="off"
              placeholder={t('usual')}
              defaultValue={replyTo[id] ?? ''}
              onChange={(event) => set(id, event.target.value)}
            />
          </label>
        ))}
      </div>
    </WorkSection>
  )
}

type Addresses = Readonly<Record<string, string>>

/** Those that are other than before; null for those that are gone. */
function changed(before: Addresses, now: Addresses): Record<string, string | null> {
  const schools = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return Object.fromEntries(
    schools.flatMap((school) => (before[school] === now[school] ? [] : [[school, now[school] ?? null]])),
  )
}
