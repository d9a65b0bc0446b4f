import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { useUrlState } from '@/components/app/url-state'
import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/field'
import { ACTIVITY_GROUPS, type ActivityGroup } from '@/lib/contract/activity-actions'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import type { UrlChange } from '@/lib/url-writer'

/** The first tab shows all groups, the others the group of their name. */
export const ACTIVITY_TABS = ['events', 'signIns', 'exports'] as const
const GROUPS = Object.keys(ACTIVITY_GROUPS) as ActivityGroup[]
export const NO_FILTER = { group: null, user: null, kind: null, id: null }

/** The filter is in the address, so that a link can share it. It has no names, because addresses end up in logs. */
export function useActivityFilter() {
  const { searchParams, write } = useUrlState()
  const tab = ACTIVITY_TABS.find((name) => name === searchParams.get('tab')) ?? 'events'
  return {
    tab,
    group: tab === 'events' ? GROUPS.find((name) => name === searchParams.get('group')) : tab,
    userId: searchParams.get('user') ?? undefined,
    leadKind: LEAD_KINDS.find((kind) => kind === searchParams.get('kind')),
    leadId: searchParams.get('id') ?? undefined,
    changeFilter: (values: UrlChange) => write(values, 'push'),
  }
}

export function ActivityFilterForm({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { tab, group, userId, leadId, changeFilter } = useActivityFilter()
  const submitLeadId = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const enteredId = String(new FormData(event.currentTarget).get('id') ?? '').trim()
    changeFilter({ kind: null, id: enteredId || null })
  }
  return (
    <form
      onSubmit={submitLeadId}
      className="flex flex-wrap items-end gap-3 *:min-w-[min(14rem,100%)] *:flex-1 desk:*:max-w-72"
    >
      <SelectField
        label={t('user')}
        value={userId ?? ''}
        options={[['', t('anyUser')], ...users.map(({ id, name, email }) => [id, `${name} (${email})`] as const)]}
        onChoose={(value) => changeFilter({ user: value || null })}
      />
      {tab === 'events' && (
        <>
          <SelectField
            label={t('group')}
            value={group ?? ''}
            options={[['', t('anyGroup')], ...GROUPS.map((name) => [name, t(`groupOf.${name}`)] as const)]}
            onChoose={(value) => changeFilter({ group: value || null })}
          />
          <TextField
            // Another id in the address starts the field anew, because React leaves a changed default value unread.
            key={leadId}
            label={t('leadId')}
            name="id"
            defaultValue={leadId ?? ''}
            placeholder={t('leadIdHint')}
            autoComplete="off"
            spellCheck={false}
          />
          <span className="flex gap-2">
            <Button text={t('search')} type="submit" className="min-h-9" />
            <Button
              text={t('clear')}
              // A reset also empties an id that was not submitted.
              type="reset"
              variant="ghost"
              className="min-h-9"
              disabled={(userId ?? group ?? leadId) === undefined}
              onClick={() => changeFilter(NO_FILTER)}
            />
          </span>
        </>
      )}
    </form>
  )
}
