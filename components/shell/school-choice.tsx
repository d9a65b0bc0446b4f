import { useTranslations } from 'next-intl'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { Dialog } from '@/components/ui/dialog'
import type { HighSchool } from '@/lib/contract/lead'

export function SchoolChoice({ highSchools, className }: { highSchools: readonly HighSchool[]; className: string }) {
  const t = useTranslations('shell.schools')
  const [chosen, setChosen] = useSchoolFilter()
  return (
    <ChoiceList
      look="panel"
      className={className}
      choices={highSchools.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={chosen}
      onChange={setChosen}
      words={{ find: t('search'), none: t('noMatch'), found: (count) => t('some', { count }) }}
      foot={() => (
        <div className="flex items-center justify-between gap-2 border-t border-line-soft py-1.5 pr-1.5 pl-3.5 text-xs text-mute">
          {chosen.length > 0 ? t('some', { count: chosen.length }) : t('all')}
          <Button variant="ghost" size="sm" disabled={chosen.length === 0} onClick={() => setChosen([])}>
            {t('showAll')}
          </Button>
        </div>
      )}
    />
  )
}

type SchoolSheetDialogProps = { highSchools: readonly HighSchool[]; onClose: () => void }

export function SchoolSheetDialog({ highSchools, onClose }: SchoolSheetDialogProps) {
  const t = useTranslations('shell.schools')
  return (
    <Dialog onClose={onClose} title={t('label')} shape="sheet">
      <SchoolChoice highSchools={highSchools} className="max-h-[60dvh]" />
      <div className="border-t border-line-soft p-3">
        <Button variant="primary" size="lg" className="w-full" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </Dialog>
  )
}
