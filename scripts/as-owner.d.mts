type Owner = { uid: number; gid: number }
export function otherOwner(env?: Record<string, string | undefined>): Owner | null
export function runAs(owner: Owner, args: readonly string[]): Promise<number>
