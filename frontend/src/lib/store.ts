/** localStorage that may be full, forbidden or absent: then nothing is kept and nothing breaks. */

export function keep(key: string, value: string): boolean {
  try {
    localStorage.setItem(`fp:${key}`, value);
    return true;
  } catch {
    return false;
  }
}

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(`fp:${key}`);
  } catch {
    return null;
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`fp:${key}`);
  } catch {
    // Storage is forbidden here, so there is nothing to forget.
  }
}
