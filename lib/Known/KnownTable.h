// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All tables of lib/Known as one index, built once. KnownFunctions.cpp answers
// questions from it; nothing else sees it but the tests of totality.
#ifndef ADZE_KNOWN_KNOWNTABLE_H
#define ADZE_KNOWN_KNOWNTABLE_H

#include "adze/KnownFunction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Intrinsics.h"
#include <deque>
#include <string>
#include <vector>

namespace adze {

struct FamilyRecord {
  KnownFunction Known;
  /// The intrinsic that computes it, for emission; not_intrinsic if none.
  llvm::Intrinsic::ID Intrinsic = llvm::Intrinsic::not_intrinsic;
  /// The C library has it.
  bool InLibrary = false;
  /// What libdevice and ocml call it where that is not the family's name:
  /// "fast_cos", "native_cos" (Device.def).
  const char *Nvidia = nullptr, *Amd = nullptr;
  /// Instructions of theirs that do the same, for float and half.
  llvm::Intrinsic::ID NvidiaIntrinsic = llvm::Intrinsic::not_intrinsic,
                      AmdIntrinsic = llvm::Intrinsic::not_intrinsic;
};

class KnownTable {
public:
  static const KnownTable &get();

  const FamilyRecord *byFamily(llvm::StringRef Family) const {
    return Families.lookup(Family);
  }
  const FamilyRecord *byIntrinsic(llvm::Intrinsic::ID ID) const {
    return Intrinsics.lookup(ID);
  }
  /// By any spelling; vector variants and prefixes included.
  const FamilyRecord *byName(llvm::StringRef Name) const;
  /// Of a function that has a body all the same.
  const FamilyRecord *byTemplate(llvm::StringRef Name) const;
  const ScalarRow *byOpcode(unsigned Opcode) const {
    return Opcodes.lookup(Opcode);
  }

  const std::deque<FamilyRecord> &records() const { return Records; }
  /// Names that more than one row claims; a test holds this empty.
  const std::vector<std::string> &duplicates() const { return Duplicates; }

private:
  KnownTable();
  FamilyRecord &add(const char *Family, KnownKind Kind,
                    const char *Signature = nullptr);
  FamilyRecord &addScalar(const char *Family, const char *Signature,
                          llvm::Intrinsic::ID ID, bool InLibrary,
                          std::vector<Expr> Partials);
  FamilyRecord &addOutputs(const char *Family, const char *Signature,
                           llvm::Intrinsic::ID ID, bool InLibrary,
                           std::vector<OutputRow> Outputs);
  void addConstant(const char *Family, const char *Signature,
                   llvm::Intrinsic::ID ID, bool InLibrary);
  void spell(FamilyRecord &R, llvm::StringRef Name);
  void spellAll(FamilyRecord &R, llvm::StringRef Family);
  void spell(FamilyRecord &R, llvm::Intrinsic::ID ID);

  void addScalars();
  void addOutputs();
  void addComplex();
  void addInactive();
  void addAllocators();
  void addTeams();
  void addDeviceMeetings();
  void addMpi();
  void addGpu();
  void addIntrinsics();
  void addDeviceFunctions();
  void addDeviceIntrinsics();
  void spellRounded(FamilyRecord &R, const char *Nvidia, const char *Amd);
  FamilyRecord &nameOnDevices(FamilyRecord &R, const char *Nvidia,
                              const char *Amd);

  std::deque<FamilyRecord> Records; // stable addresses
  llvm::StringMap<FamilyRecord *> Families, Names;
  llvm::DenseMap<unsigned, FamilyRecord *> Intrinsics;
  llvm::DenseMap<unsigned, const ScalarRow *> Opcodes;
  std::vector<std::pair<std::string, FamilyRecord *>> Prefixes, Templates;
  std::vector<std::string> Duplicates;
};

} // namespace adze
#endif
