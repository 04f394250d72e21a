//! VMX rows: integers, logic and permutations.

use super::encoding::{OE as DOT, va, vx};
use super::group::{recording, rows};
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, vector};
use crate::memory::Memory;

rows! {
    /// Integer sums, averages, maxima and minima.
    Integer;
    "vaddubm", vx(0), "V,X,Y", VectorSimple, vector::vaddubm;
    "vadduhm", vx(64), "V,X,Y", VectorSimple, vector::vadduhm;
    "vadduwm", vx(128), "V,X,Y", VectorSimple, vector::vadduwm;
    "vaddcuw", vx(384), "V,X,Y", VectorSimple, vector::vaddcuw;
    "vaddubs", vx(512), "V,X,Y", VectorSimple, vector::vaddubs;
    "vadduhs", vx(576), "V,X,Y", VectorSimple, vector::vadduhs;
    "vadduws", vx(640), "V,X,Y", VectorSimple, vector::vadduws;
    "vaddsbs", vx(768), "V,X,Y", VectorSimple, vector::vaddsbs;
    "vaddshs", vx(832), "V,X,Y", VectorSimple, vector::vaddshs;
    "vaddsws", vx(896), "V,X,Y", VectorSimple, vector::vaddsws;
    "vsububm", vx(1024), "V,X,Y", VectorSimple, vector::vsububm;
    "vsubuhm", vx(1088), "V,X,Y", VectorSimple, vector::vsubuhm;
    "vsubuwm", vx(1152), "V,X,Y", VectorSimple, vector::vsubuwm;
    "vsubcuw", vx(1408), "V,X,Y", VectorSimple, vector::vsubcuw;
    "vsububs", vx(1536), "V,X,Y", VectorSimple, vector::vsububs;
    "vsubuhs", vx(1600), "V,X,Y", VectorSimple, vector::vsubuhs;
    "vsubuws", vx(1664), "V,X,Y", VectorSimple, vector::vsubuws;
    "vsubsbs", vx(1792), "V,X,Y", VectorSimple, vector::vsubsbs;
    "vsubshs", vx(1856), "V,X,Y", VectorSimple, vector::vsubshs;
    "vsubsws", vx(1920), "V,X,Y", VectorSimple, vector::vsubsws;
    "vavgub", vx(1026), "V,X,Y", VectorSimple, vector::vavgub;
    "vavguh", vx(1090), "V,X,Y", VectorSimple, vector::vavguh;
    "vavguw", vx(1154), "V,X,Y", VectorSimple, vector::vavguw;
    "vavgsb", vx(1282), "V,X,Y", VectorSimple, vector::vavgsb;
    "vavgsh", vx(1346), "V,X,Y", VectorSimple, vector::vavgsh;
    "vavgsw", vx(1410), "V,X,Y", VectorSimple, vector::vavgsw;
    "vmaxub", vx(2), "V,X,Y", VectorSimple, vector::vmaxub;
    "vmaxuh", vx(66), "V,X,Y", VectorSimple, vector::vmaxuh;
    "vmaxuw", vx(130), "V,X,Y", VectorSimple, vector::vmaxuw;
    "vmaxsb", vx(258), "V,X,Y", VectorSimple, vector::vmaxsb;
    "vmaxsh", vx(322), "V,X,Y", VectorSimple, vector::vmaxsh;
    "vmaxsw", vx(386), "V,X,Y", VectorSimple, vector::vmaxsw;
    "vminub", vx(514), "V,X,Y", VectorSimple, vector::vminub;
    "vminuh", vx(578), "V,X,Y", VectorSimple, vector::vminuh;
    "vminuw", vx(642), "V,X,Y", VectorSimple, vector::vminuw;
    "vminsb", vx(770), "V,X,Y", VectorSimple, vector::vminsb;
    "vminsh", vx(834), "V,X,Y", VectorSimple, vector::vminsh;
    "vminsw", vx(898), "V,X,Y", VectorSimple, vector::vminsw;
}

rows! {
    /// Integer products and sums across elements.
    Multiply;
    "vmuleub", vx(520), "V,X,Y", VectorComplex, vector::vmuleub;
    "vmuloub", vx(8), "V,X,Y", VectorComplex, vector::vmuloub;
    "vmulesb", vx(776), "V,X,Y", VectorComplex, vector::vmulesb;
    "vmulosb", vx(264), "V,X,Y", VectorComplex, vector::vmulosb;
    "vmuleuh", vx(584), "V,X,Y", VectorComplex, vector::vmuleuh;
    "vmulouh", vx(72), "V,X,Y", VectorComplex, vector::vmulouh;
    "vmulesh", vx(840), "V,X,Y", VectorComplex, vector::vmulesh;
    "vmulosh", vx(328), "V,X,Y", VectorComplex, vector::vmulosh;
    "vsum4ubs", vx(1544), "V,X,Y", VectorComplex, vector::vsum4ubs;
    "vsum4sbs", vx(1800), "V,X,Y", VectorComplex, vector::vsum4sbs;
    "vsum4shs", vx(1608), "V,X,Y", VectorComplex, vector::vsum4shs;
    "vsum2sws", vx(1672), "V,X,Y", VectorComplex, vector::vsum2sws;
    "vsumsws", vx(1928), "V,X,Y", VectorComplex, vector::vsumsws;
    "vmhaddshs", va(32), "V,X,Y,Z", VectorComplex, vector::vmhaddshs;
    "vmhraddshs", va(33), "V,X,Y,Z", VectorComplex, vector::vmhraddshs;
    "vmladduhm", va(34), "V,X,Y,Z", VectorComplex, vector::vmladduhm;
    "vmsumubm", va(36), "V,X,Y,Z", VectorComplex, vector::vmsumubm;
    "vmsummbm", va(37), "V,X,Y,Z", VectorComplex, vector::vmsummbm;
    "vmsumuhm", va(38), "V,X,Y,Z", VectorComplex, vector::vmsumuhm;
    "vmsumuhs", va(39), "V,X,Y,Z", VectorComplex, vector::vmsumuhs;
    "vmsumshm", va(40), "V,X,Y,Z", VectorComplex, vector::vmsumshm;
    "vmsumshs", va(41), "V,X,Y,Z", VectorComplex, vector::vmsumshs;
}

rows! {
    /// Bitwise logic, and shifts of elements.
    Logic;
    "vand", vx(1028), "V,X,Y", VectorSimple, vector::vand;
    "vandc", vx(1092), "V,X,Y", VectorSimple, vector::vandc;
    "vor", vx(1156), "V,X,Y", VectorSimple, vector::vor;
    "vxor", vx(1220), "V,X,Y", VectorSimple, vector::vxor;
    "vnor", vx(1284), "V,X,Y", VectorSimple, vector::vnor;
    "vrlb", vx(4), "V,X,Y", VectorSimple, vector::vrlb;
    "vrlh", vx(68), "V,X,Y", VectorSimple, vector::vrlh;
    "vrlw", vx(132), "V,X,Y", VectorSimple, vector::vrlw;
    "vslb", vx(260), "V,X,Y", VectorSimple, vector::vslb;
    "vslh", vx(324), "V,X,Y", VectorSimple, vector::vslh;
    "vslw", vx(388), "V,X,Y", VectorSimple, vector::vslw;
    "vsrb", vx(516), "V,X,Y", VectorSimple, vector::vsrb;
    "vsrh", vx(580), "V,X,Y", VectorSimple, vector::vsrh;
    "vsrw", vx(644), "V,X,Y", VectorSimple, vector::vsrw;
    "vsrab", vx(772), "V,X,Y", VectorSimple, vector::vsrab;
    "vsrah", vx(836), "V,X,Y", VectorSimple, vector::vsrah;
    "vsraw", vx(900), "V,X,Y", VectorSimple, vector::vsraw;
    "vsel", va(42), "V,X,Y,Z", VectorSimple, vector::vsel;
}

rows! {
    /// Permutations, shifts of whole registers, and packs and unpacks.
    Permute;
    "vsl", vx(452), "V,X,Y", VectorPermute, vector::vsl;
    "vsr", vx(708), "V,X,Y", VectorPermute, vector::vsr;
    "vslo", vx(1036), "V,X,Y", VectorPermute, vector::vslo;
    "vsro", vx(1100), "V,X,Y", VectorPermute, vector::vsro;
    "vmrghb", vx(12), "V,X,Y", VectorPermute, vector::vmrghb;
    "vmrghh", vx(76), "V,X,Y", VectorPermute, vector::vmrghh;
    "vmrghw", vx(140), "V,X,Y", VectorPermute, vector::vmrghw;
    "vmrglb", vx(268), "V,X,Y", VectorPermute, vector::vmrglb;
    "vmrglh", vx(332), "V,X,Y", VectorPermute, vector::vmrglh;
    "vmrglw", vx(396), "V,X,Y", VectorPermute, vector::vmrglw;
    "vpkuhum", vx(14), "V,X,Y", VectorPermute, vector::vpkuhum;
    "vpkuwum", vx(78), "V,X,Y", VectorPermute, vector::vpkuwum;
    "vpkpx", vx(782), "V,X,Y", VectorPermute, vector::vpkpx;
    "vpkuhus", vx(142), "V,X,Y", VectorPermute, vector::vpkuhus;
    "vpkuwus", vx(206), "V,X,Y", VectorPermute, vector::vpkuwus;
    "vpkshus", vx(270), "V,X,Y", VectorPermute, vector::vpkshus;
    "vpkswus", vx(334), "V,X,Y", VectorPermute, vector::vpkswus;
    "vpkshss", vx(398), "V,X,Y", VectorPermute, vector::vpkshss;
    "vpkswss", vx(462), "V,X,Y", VectorPermute, vector::vpkswss;
    "vupkhsb", vx(526), "V,Y", VectorPermute, vector::vupkhsb;
    "vupkhsh", vx(590), "V,Y", VectorPermute, vector::vupkhsh;
    "vupkhpx", vx(846), "V,Y", VectorPermute, vector::vupkhpx;
    "vupklsb", vx(654), "V,Y", VectorPermute, vector::vupklsb;
    "vupklsh", vx(718), "V,Y", VectorPermute, vector::vupklsh;
    "vupklpx", vx(974), "V,Y", VectorPermute, vector::vupklpx;
    "vspltb", vx(524), "V,Y,J", VectorPermute, vector::vspltb;
    "vsplth", vx(588), "V,Y,J", VectorPermute, vector::vsplth;
    "vspltw", vx(652), "V,Y,J", VectorPermute, vector::vspltw;
    "vspltisb", vx(780), "V,j", VectorPermute, vector::vspltisb;
    "vspltish", vx(844), "V,j", VectorPermute, vector::vspltish;
    "vspltisw", vx(908), "V,j", VectorPermute, vector::vspltisw;
    "vperm", va(43), "V,X,Y,Z", VectorPermute, vector::vperm;
    "vsldoi", va(44), "V,X,Y,Q", VectorPermute, vector::vsldoi;
}

recording! {
    /// Vector integer comparisons. Forms with a dot record in condition field 6.
    Comparisons, DOT;
    "vcmpequb", vx(6), "V,X,Y", VectorSimple, vector::vcmpequb;
    "vcmpequh", vx(70), "V,X,Y", VectorSimple, vector::vcmpequh;
    "vcmpequw", vx(134), "V,X,Y", VectorSimple, vector::vcmpequw;
    "vcmpgtub", vx(518), "V,X,Y", VectorSimple, vector::vcmpgtub;
    "vcmpgtuh", vx(582), "V,X,Y", VectorSimple, vector::vcmpgtuh;
    "vcmpgtuw", vx(646), "V,X,Y", VectorSimple, vector::vcmpgtuw;
    "vcmpgtsb", vx(774), "V,X,Y", VectorSimple, vector::vcmpgtsb;
    "vcmpgtsh", vx(838), "V,X,Y", VectorSimple, vector::vcmpgtsh;
    "vcmpgtsw", vx(902), "V,X,Y", VectorSimple, vector::vcmpgtsw;
}
