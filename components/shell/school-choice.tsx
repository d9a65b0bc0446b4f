import { useTranslations } from 'next-intl'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import type { HighSchool } from '@/lib/contract/lead'

export function SchoolChoice({ highSchools, close }: { highSchools: readonly HighSchool[]; close: () => void }) {
  const t = useTranslations('shell.schools')
  const [chosen, setChosen] = useSchoolFilter()
  return (
    <ChoiceList
      look="panel"
      className="max-h-[min(28rem,70dvh)]"
      choices={highSchools.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={chosen}
      onChange={setChosen}
      words={{ find: t('search'), found: (count) => t('some', { count }) }}
      foot={
        <div className="flex items-center justify-between gap-2 border-t border-line-soft py-1.5 pr-1.5 pl-3.5 text-xs text-mute">
          {chosen.length > 0 ? t('some', { count: chosen.length }) : t('all')}
          <Button
            text={t('showAll')}
            variant="ghost"
            size="sm"
            disabled={chosen.length === 0}
            onClick={() => setChosen([])}
          />
          <Button text={t('done')} variant="primary" className="desk:hidden" onClick={close} />
        </div>
      }
    />
  )
}
