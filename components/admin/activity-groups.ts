import type { ActivityItem } from '@/lib/contract/activity'

/** Entries that one act made, one for each lead it touched; the first stands for all. */
export type ActivityGroup = readonly [ActivityItem, ...ActivityItem[]]

/** Puts entries together that follow each other and differ in the lead only: opening a person touches all of theirs. */
export function groupsOf(entries: readonly ActivityItem[]): ActivityGroup[] {
  const groups: [ActivityItem, ...ActivityItem[]][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last !== undefined && isSameAct(last[0], entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function isSameAct(one: ActivityItem, other: ActivityItem): boolean {
  return one.lead !== null && other.lead !== null && actOf(one) === actOf(other)
}

/** The same for what was done within the same minute, as the log shows it. */
function actOf({ at, user, action, details, address }: ActivityItem): string {
  return JSON.stringify([at.slice(0, 16), user?.id ?? null, action, details, address])
}
